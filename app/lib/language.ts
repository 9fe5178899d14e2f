/** The languages of the app, and the choice of one for a visitor. */

/** In the order in which they are offered; the first is the fallback. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** Cookie that keeps a visitor's choice. */
export const LANGUAGE_COOKIE = 'greenroom-language';
/** Search parameter that selects a language. */
export const LANGUAGE_PARAMETER = 'lang';

/** The sources of a visitor's language. Absent ones are ignored. */
interface LanguageSource {
  /** The language that the visitor chose. */
  chosen: string | null | undefined;
  /** The browser's `Accept-Language` header (RFC 9110 section 12.5.4). */
  accepted: string | null | undefined;
  /** The languages of the site, of which the first is the fallback. Default: all. */
  offered?: readonly Language[] | undefined;
}

/** Returns the visitor's choice, otherwise the best language that the browser accepts, otherwise the fallback. */
export function chooseLanguage({ chosen, accepted, offered = LANGUAGES }: LanguageSource): Language {
  return (
    parseLanguage(chosen, offered) ?? bestAccepted(accepted ?? '', offered) ?? offered[0] ?? LANGUAGES[0]
  );
}

/** Parses a language code; undefined for unsupported languages. */
export function parseLanguage(
  name: string | null | undefined,
  offered: readonly Language[] = LANGUAGES,
): Language | undefined {
  return offered.find((language) => language === name);
}

/** Returns the page's search parameters with the language set. */
export function languageSearch(search: string, language: Language): string {
  const parameters = new URLSearchParams(search);
  parameters.set(LANGUAGE_PARAMETER, language);
  return `?${parameters}`;
}

function bestAccepted(header: string, offered: readonly Language[]): Language | undefined {
  const ranges = header
    .slice(0, 500)
    .split(',')
    .map((entry) => parseLanguageRange(entry, offered));
  return ranges
    .filter(({ language, quality }) => language && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]?.language;
}

/** Ignores regions: `de-AT` counts as `de`. */
function parseLanguageRange(
  entry: string,
  offered: readonly Language[],
): { language: Language | undefined; quality: number } {
  const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return {
    language: parseLanguage(range.split('-', 1)[0], offered),
    quality: quality === undefined ? 1 : Number(quality),
  };
}
