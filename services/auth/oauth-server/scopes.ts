/** OAuth scopes, which select the user data an application may read (RFC 6749 §3.3, OpenID Connect Core §5.4). */

export const SCOPES = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const;

export type Scope = (typeof SCOPES)[number];

/** Applied if the request names no scope, as in GoTrue. */
export const DEFAULT_SCOPE = 'email';

/** Splits a list of scopes at spaces and removes duplicates. Does not check that they are known. */
export function splitScopes(text: string): string[] {
  return [...new Set(text.split(' ').filter((scope) => scope !== ''))];
}

export function areKnownScopes(scopes: readonly string[]): scopes is Scope[] {
  return scopes.every((scope) => (SCOPES as readonly string[]).includes(scope));
}

/** Whether the granted scopes include all requested scopes. */
export function coversScopes(granted: string, requested: string): boolean {
  const has = new Set(splitScopes(granted));
  return splitScopes(requested).every((scope) => has.has(scope));
}
