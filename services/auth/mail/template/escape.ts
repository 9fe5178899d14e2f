/** Escapes values for their place in HTML. */
import { queryEscape } from './functions.ts';
import type { UrlPart } from './html-context.ts';
import { hasAllowedScheme } from './schemes.ts';
import { OwnUrl, textOf, type Value } from './values.ts';

/** What stands where a URL was refused: as harmless as html/template's own mark. */
const REFUSED_URL = '#refused';

const ENTITIES: Record<string, string> = {
  '\0': '\ufffd',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** For text, and for values of attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[\0&<>"'`]/g, (character) => ENTITIES[character] ?? '');
}

/** For values of attributes without quotes, where white space and `=` would end or confuse the value. */
export function escapeUnquoted(text: string): string {
  return escapeHtml(text).replace(/[\s=\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** A value as a part of a URL. @param part where it stands; never `unknown` or `forbidden` */
export function escapeUrl(value: Value, part: UrlPart): string {
  const text = textOf(value);
  if (part === 'query') return queryEscape(text);
  if (part === 'path') return normalize(text);
  if (part === 'undecided') return normalize(text).replaceAll(':', '%3A');
  return hasAllowedScheme(text, value instanceof OwnUrl) ? normalize(text) : REFUSED_URL;
}

/** Characters of URLs (RFC 3986 §2) stay, and what is encoded already; all others are encoded. */
function normalize(text: string): string {
  return text
    .toWellFormed()
    .replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&*+,;=%]/gu, (character) =>
      encodeURIComponent(character).replace(/['()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    );
}
