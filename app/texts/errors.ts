/** Texts of the error pages. Their sentences come with the error; a heading is known by the error's title. */
import { defineTexts } from './define-texts.ts';

export const errorTexts = defineTexts({
  en: {
    titles: { 'Page Not Found': 'Page Not Found', 'Internal Server Error': 'Internal Server Error' },
    goHome: 'Go back home',
    goBack: 'Go back',
  },
  de: {
    titles: { 'Page Not Found': 'Seite nicht gefunden', 'Internal Server Error': 'Interner Serverfehler' },
    goHome: 'Zur Startseite',
    goBack: 'Zurück',
  },
});
