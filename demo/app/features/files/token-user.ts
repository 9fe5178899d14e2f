/**
 * The user id of an access token, for comparisons in the browser. Cookies hold no user, and the server
 * verifies tokens.
 */

/** Returns the `sub` claim of a token; undefined if it is not a JWT. The signature is not verified. */
export function userIdOf(accessToken: string): string | undefined {
  const [, payload = ''] = accessToken.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    );
    const { sub }: { sub?: unknown } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
}
