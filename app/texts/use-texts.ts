/** Hooks that return texts in the language of the page. */

import { type Language, parseLanguage } from '../lib/language.ts';
import { usePage } from '../lib/page/page-context.tsx';
import { siteName } from '../lib/page/site.ts';
import type { Texts } from './define-texts.ts';

/** Returns the language of the page. */
export function useLanguage(): Language {
  return usePage().language;
}

/** Returns the texts of an area in the language of the page. */
export function useTexts<T>(texts: Texts<T>): Texts<T>[Language] {
  return texts[useLanguage()];
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Returns the language for a route's `meta`: that of the root loader's data, or English if the data is missing. */
export function languageOf(matches: Matches): Language {
  const { language } = rootData(matches);
  return parseLanguage(typeof language === 'string' ? language : undefined) ?? 'en';
}

/** Returns the name of the site for a route's `meta`. */
export function siteNameOf(matches: Matches): string {
  const { siteName: name } = rootData(matches);
  return siteName({ name: typeof name === 'string' ? name : undefined });
}

/** Returns the name of the site. */
export function useSiteName(): string {
  return siteName(usePage().config.site);
}

function rootData(matches: Matches): { language?: unknown; siteName?: unknown } {
  const data = matches.find((match) => match?.id === 'root')?.loaderData;
  return typeof data === 'object' && data !== null ? data : {};
}
