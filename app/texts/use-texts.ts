/** Texts for components, in the language of their page. */

import { type Language, parseLanguage } from '../lib/language.ts';
import { usePage } from '../lib/page/page-context.tsx';
import type { Texts } from './define-texts.ts';

/** The language of the page. */
export function useLanguage(): Language {
  return usePage().language;
}

/** An area's texts. */
export function useTexts<T>(texts: Texts<T>): Texts<T>[Language] {
  return texts[useLanguage()];
}

/** For a route's `meta`: the language that the root's loader named, or English where it could not. */
export function languageOf(matches: readonly ({ id: string; loaderData?: unknown } | undefined)[]): Language {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  const isNamed = typeof root === 'object' && root !== null && 'language' in root;
  return (isNamed && parseLanguage(String(root.language))) || 'en';
}
