/** Escapes values for their context in HTML. */
import { queryEscape } from './functions.ts';
import type { UrlPart } from './html-context.ts';
import { hasAllowedScheme } from './schemes.ts';
import { TrustedUrl, textOf, type Value } from './values.ts';

/** Replacement for a rejected URL: as harmless as the one of html/template. */
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

/** Escapes for text and quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[\0&<>"'`]/g, (character) => ENTITIES[character] ?? '');
}

/** Escapes for unquoted attribute values, which white space would end and `=` would break. */
export function escapeUnquoted(text: string): string {
  return escapeHtml(text).replace(/[\s=\p{Cc}]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/**
 * Escapes a value for a part of a URL.
 * @param part position in the URL; never `unknown` or `forbidden`
 */
export function escapeUrl(value: Value, part: UrlPart): string {
  const text = textOf(value);
  if (part === 'query') return queryEscape(text);
  if (part === 'path') return normalize(text);
  if (part === 'undecided') return normalize(text).replaceAll(':', '%3A');
  return hasAllowedScheme(text, value instanceof TrustedUrl) ? normalize(text) : REFUSED_URL;
}

/** Percent-encodes all characters except those of URLs (RFC 3986 §2) and existing escapes. */
function normalize(text: string): string {
  return text
    .toWellFormed()
    .replace(/%(?![0-9A-Fa-f]{2})|[^\w\-.~:/?#[\]@!$&*+,;=%]/gu, (character) =>
      encodeURIComponent(character).replace(/['()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    );
}
