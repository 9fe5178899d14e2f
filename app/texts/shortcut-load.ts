/** The texts of the palette and the keyboard help that every page needs; the others are loaded with them. */
import { defineTexts } from './define-texts.ts';

export const shortcutLoadTexts = defineTexts({
  en: { search: 'Search or jump to…', failed: 'Loading failed. Check your connection and try again.' },
  de: {
    search: 'Befehle suchen …',
    failed: 'Laden fehlgeschlagen. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },
});
