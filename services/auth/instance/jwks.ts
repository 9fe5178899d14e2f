/** GET /.well-known/jwks.json: the public keys that verify access tokens (RFC 7517 §5). */
import type { AuthContext } from '../context.ts';
import type { AuthResponse } from '../contracts/request.ts';

/** Cache lifetime. Ten minutes are safe, because keys rarely change and a new key is published before it is used. */
export const KEYS_MAX_AGE_SECONDS = 600;

/** Returns the JSON Web Key Set. */
export async function jwks({ keys }: AuthContext): Promise<AuthResponse> {
  return {
    status: 200,
    headers: { 'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}` },
    body: keys.jwks(),
  };
}
