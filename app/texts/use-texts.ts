/** Hooks that return texts in the language of the page. */

import { type Language, parseLanguage } from '../lib/language.ts';
import { usePage } from '../lib/page/page-context.tsx';
import type { Texts } from './define-texts.ts';

/** Returns the language of the page. */
export function useLanguage(): Language {
  return usePage().language;
}

/** Returns the texts of an area in the language of the page. */
export function useTexts<T>(texts: Texts<T>): Texts<T>[Language] {
  return texts[useLanguage()];
}

/** Returns the language for a route's `meta`: that of the root loader's data, or English if the data is missing. */
export function languageOf(matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]): Language {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  const hasLanguage = typeof root === 'object' && root !== null && 'language' in root;
  return (hasLanguage && parseLanguage(String(root.language))) || 'en';
}
