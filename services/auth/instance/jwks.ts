/** GET /.well-known/jwks.json: the public keys that access tokens are verified with (RFC 7517 §5). */
import type { AuthContext } from '../context.ts';
import type { AuthResponse } from '../contracts/request.ts';

/** Keys change rarely, and a new one is published before it signs: ten minutes are safe. */
export const KEYS_MAX_AGE_SECONDS = 600;

/** Answers the keys. */
export async function jwks({ keys }: AuthContext): Promise<AuthResponse> {
  return {
    status: 200,
    headers: { 'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}` },
    body: keys.jwks(),
  };
}
