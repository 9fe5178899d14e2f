/**
 * Headings of errors, which are also part of the document's title. The English ones are fixed by the
 * specification.
 */
import { defineTexts } from './define-texts.ts';

export const errorTitles = defineTexts({
  en: { 'Page Not Found': 'Page Not Found', 'Internal Server Error': 'Internal Server Error' },
  de: { 'Page Not Found': 'Seite nicht gefunden', 'Internal Server Error': 'Interner Serverfehler' },
});

/** Name of a heading; API clients receive it untranslated. */
export type ErrorTitle = keyof (typeof errorTitles)['en'];
