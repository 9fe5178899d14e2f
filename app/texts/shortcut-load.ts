/** The texts of the palette and the keyboard help that every page needs; the others are loaded with them. */
import { defineTexts } from './define-texts.ts';

export const shortcutLoadTexts = defineTexts({
  en: { search: 'Search or jump to…', failed: 'This could not be loaded. Please try again.' },
  de: {
    search: 'Befehl suchen …',
    failed: 'Das ließ sich nicht laden. Versuchen Sie es noch einmal.',
  },
});
