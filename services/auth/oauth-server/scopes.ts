/** Scopes: what an application may know of somebody (RFC 6749 §3.3, OpenID Connect Core §5.4). */

/** All there are. */
export const SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

/** One of them. */
export type Scope = (typeof SCOPES)[number];

/** What is asked for where nothing is said (GoTrue's). */
export const DEFAULT_SCOPE = 'email';

/** The scopes of a text, each once. What is in between is for whoever knows which ones there are. */
export function splitScopes(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}

/** Whether all of the scopes are known. */
export function areKnown(scopes: readonly string[]): scopes is Scope[] {
  return scopes.every((scope) => (SCOPES as readonly string[]).includes(scope));
}

/** Whether what was granted includes all of what is asked for. */
export function covers(granted: string, asked: string): boolean {
  const has = new Set(splitScopes(granted));
  return splitScopes(asked).every((scope) => has.has(scope));
}
