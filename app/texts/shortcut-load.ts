/** The texts of the palette and the keyboard help that every page needs; the others are loaded with them. */
import { defineTexts } from './define-texts.ts';

export const shortcutLoadTexts = defineTexts({
  en: { search: 'Search or jump to…', failed: 'Couldn’t load this. Check your connection and try again.' },
  de: {
    search: 'Suchen oder wechseln zu …',
    failed: 'Laden fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
});
