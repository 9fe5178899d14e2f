/**
 * Defines the texts of one area in every language. Each area has a file of its own, so that a page loads only the
 * texts that it shows. A missing translation is a type error.
 */
import type { Language } from '../lib/language.ts';

/** Texts, functions that insert names and numbers into them, and lists and groups of both. */
interface TextTree {
  readonly [name: string]: Text | TextTree | readonly (Text | TextTree)[];
}

type Text = string | ((...values: never[]) => string);

/** The texts of an area by language. */
export type Texts<T> = Readonly<Record<Language, T>>;

/** The English texts define the type; every other language must have the same texts. */
export function defineTexts<T extends TextTree>(
  texts: { en: T } & Record<Exclude<Language, 'en'>, NoInfer<T>>,
): Texts<T> {
  return texts;
}
