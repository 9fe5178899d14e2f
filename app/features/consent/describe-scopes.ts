/** Descriptions of scopes. An unknown scope is shown by its name, shortened. */
import type { ConsentTexts } from '../../texts/consent.ts';

const MAX_SCOPES = 20;
const MAX_CHARACTERS = 60;

/** Returns the descriptions of the data that an application receives, in the requested order. */
export function describeScopes(scopes: readonly string[], texts: ConsentTexts['scopes']): string[] {
  const words = scopes
    .slice(0, MAX_SCOPES)
    .map((scope) =>
      Object.hasOwn(texts, scope) ? texts[scope as keyof typeof texts] : scope.slice(0, MAX_CHARACTERS),
    );
  return [...new Set(words)];
}

/** Splits a list of scopes (RFC 6749 §3.3). */
export function splitScopes(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/\s+/).filter((scope) => scope !== '') : [];
}
