/** Headings of errors, which also stand in the document's title. English says them as the specification does. */
import { defineTexts } from './define-texts.ts';

export const errorTitles = defineTexts({
  en: { 'Page Not Found': 'Page Not Found', 'Internal Server Error': 'Internal Server Error' },
  de: { 'Page Not Found': 'Seite nicht gefunden', 'Internal Server Error': 'Interner Serverfehler' },
});

/** Name of a heading; programs are told it as it is. */
export type ErrorTitle = keyof (typeof errorTitles)['en'];
