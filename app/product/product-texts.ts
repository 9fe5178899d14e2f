/** Texts of a product, in the languages that it has. */
import type { Language } from '../lib/language.ts';
import { languageOf, useLanguage } from '../texts/use-texts.ts';

/** Texts by language. One language is enough. */
type ProductTexts<T> = Readonly<Partial<Record<Language, T>>>;

/** Returns the texts unchanged; a language that lacks one of the texts is a type error. */
export function defineTexts<T>(texts: ProductTexts<T>): ProductTexts<T> {
  return texts;
}

/** Returns the texts in the language of the page, or in the first language that has any. */
export function useTexts<T>(texts: ProductTexts<T>): T {
  return textsIn(texts, useLanguage());
}

/** Returns the texts for a route's `meta`. @param matches those that `meta` receives */
export function textsFor<T>(texts: ProductTexts<T>, matches: Parameters<typeof languageOf>[0]): T {
  return textsIn(texts, languageOf(matches));
}

function textsIn<T>(texts: ProductTexts<T>, language: Language): T {
  const found = texts[language] ?? Object.values(texts)[0];
  if (found === undefined) throw new Error('Texts need at least one language.');
  return found;
}
