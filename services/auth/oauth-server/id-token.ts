/** ID tokens identify the signed-in user to an application (OpenID Connect Core §2). */
import type { AuthContext } from '../context.ts';
import type { ProvenAddresses } from '../one-time/proof/statements.ts';
import type { UserRow } from '../user/user.ts';
import type { AuthorizationRow } from './authorization.ts';
import { userClaims } from './claims.ts';
import { splitScopes } from './scopes.ts';

const LIFETIME_SECONDS = 3600;

/**
 * Signs the ID token of a sign-in. Returns undefined if scope `openid` was not requested or the instance has no
 * suitable key.
 * @param user as read before this sign-in; its `last_sign_in_at` is when the user authenticated
 */
export async function createIdToken(
  { config, keys, now }: AuthContext,
  { client_id: clientId, scope, nonce }: AuthorizationRow,
  user: UserRow,
  proven: ProvenAddresses | undefined,
): Promise<string | undefined> {
  const scopes = splitScopes(scope);
  if (!scopes.includes('openid')) return undefined;
  const iat = toSeconds(now());
  return keys.signIdToken?.({
    iss: config.jwt.issuer,
    sub: user.id,
    aud: clientId,
    exp: iat + LIFETIME_SECONDS,
    iat,
    auth_time: toSeconds(user.last_sign_in_at ?? now()),
    ...(nonce !== null && { nonce }),
    ...userClaims(user, scopes, proven),
  });
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
