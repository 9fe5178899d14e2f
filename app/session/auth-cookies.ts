/**
 * Names of the cookies that hold a session. Their content, and its split into chunks of 3180 characters, is
 * defined by @supabase/ssr.
 */

/**
 * Returns the official client's default name for its session: `sb-{first label of the API's
 * host}-auth-token`.
 * @example defaultCookiePrefix('http://127.0.0.1:54321') // 'sb-127-auth-token'
 */
export function defaultCookiePrefix(apiUrl: string): string {
  const [label = ''] = new URL(apiUrl).hostname.split('.');
  // An IPv6 address has brackets and colons, which a cookie name must not contain.
  return `sb-${label.replace(/[^a-z0-9-]/gi, '')}-auth-token`;
}

/**
 * Filters the names that hold the session or a chunk of it: the prefix itself, `{prefix}.0`, `{prefix}.1`,
 * …
 */
export function sessionCookieNames(names: readonly string[], cookiePrefix: string): string[] {
  return names.filter(
    (name) => name.startsWith(cookiePrefix) && isWholeOrChunk(name.slice(cookiePrefix.length)),
  );
}

function isWholeOrChunk(ending: string): boolean {
  return ending === '' || /^\.\d+$/.test(ending);
}

/** Returns whether a cookie holds a PKCE verifier of the official client, or its list of verifiers. */
export function isVerifierName(name: string, cookiePrefix: string): boolean {
  return name.startsWith(`${cookiePrefix}-`) && /-code-verifier(?:\.\d+)?$/.test(name);
}
