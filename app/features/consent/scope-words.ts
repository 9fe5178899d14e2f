/** Scopes in plain words. One that is not known here keeps its name, as far as it fits. */
import type { ConsentTexts } from '../../texts/consent.ts';

const MAX_SCOPES = 20;
const MAX_CHARACTERS = 60;

/** What an application gets to know, in the order in which it asks for it. */
export function scopeWords(scopes: readonly string[], texts: ConsentTexts['scopes']): string[] {
  const words = scopes
    .slice(0, MAX_SCOPES)
    .map((scope) =>
      Object.hasOwn(texts, scope) ? texts[scope as keyof typeof texts] : scope.slice(0, MAX_CHARACTERS),
    );
  return [...new Set(words)];
}

/** The scopes of a text (RFC 6749 §3.3). */
export function splitScopes(text: unknown): string[] {
  return typeof text === 'string' ? text.split(/\s+/).filter((scope) => scope !== '') : [];
}
