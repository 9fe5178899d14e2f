/**
 * The catalogue of texts. One file an area; each holds its texts in every language, so that a page loads the texts of
 * its own area only, and a missing translation is a type error.
 */
import type { Language } from '../lib/language.ts';

/** Sentences, functions that put names and numbers into them, and lists and groups of both. */
interface TextTree {
  readonly [name: string]: Text | TextTree | readonly (Text | TextTree)[];
}

type Text = string | ((...values: never[]) => string);

/** The texts of an area by language. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** English says which texts there are, and every other language must have the same. */
export function defineTexts<T extends TextTree>(
  texts: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>,
): Texts<T> {
  return texts;
}
