/** The languages of the app, and which of them a visitor gets. */

/** In the order in which they are offered; the first is for visitors who read none of them. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language's own name for itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch' };

/** Cookie that keeps a visitor's choice. */
export const LANGUAGE_COOKIE = 'greenroom-language';
/** Search parameter by which a visitor chooses. */
export const LANGUAGE_PARAMETER = 'lang';

/** Where a visitor's language comes from; what is absent does not count. */
interface LanguageSource {
  /** What they chose themselves. */
  chosen: string | null | undefined;
  /** The browser's `Accept-Language` header (RFC 9110 section 12.5.4). */
  accepted: string | null | undefined;
}

/** The visitor's choice, else the best of what the browser accepts, else English. */
export function chooseLanguage({ chosen, accepted }: LanguageSource): Language {
  return parseLanguage(chosen) ?? bestAccepted(accepted ?? '') ?? LANGUAGES[0];
}

/** Reads a language's name; undefined for all that we do not speak. */
export function parseLanguage(name: string | null | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** Search parameters by which a visitor chooses a language, beside those that the page has. */
export function languageSearch(search: string, language: Language): string {
  const parameters = new URLSearchParams(search);
  parameters.set(LANGUAGE_PARAMETER, language);
  return `?${parameters}`;
}

function bestAccepted(header: string): Language | undefined {
  const wishes = header.slice(0, 500).split(',').map(readWish);
  return wishes
    .filter(({ language, quality }) => language && quality > 0)
    .sort((a, b) => b.quality - a.quality)[0]?.language;
}

/** Regions are folded: who reads `de-AT` reads `de`. */
function readWish(wish: string): { language: Language | undefined; quality: number } {
  const [range = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return {
    language: parseLanguage(range.split('-', 1)[0]),
    quality: quality === undefined ? 1 : Number(quality),
  };
}
