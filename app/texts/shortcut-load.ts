/** The little that every page says about the palette and the keyboard help; the rest is loaded with them. */
import { defineTexts } from './define-texts.ts';

export const shortcutLoadTexts = defineTexts({
  en: { search: 'Search or jump to…', failed: 'This could not be loaded. Please try again.' },
  de: {
    search: 'Befehl suchen …',
    failed: 'Das ließ sich nicht laden. Versuchen Sie es noch einmal.',
  },
});
