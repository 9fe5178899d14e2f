/** GET and POST /oauth/userinfo: claims about the signed-in user (OpenID Connect Core §5.3). */
import { CatalogueError } from '@greenroom/errors';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { findProvenAddresses, type ProvenAddresses } from '../one-time/proof/statements.ts';
import { type Caller, requireCallerOrApplication } from '../session/caller.ts';
import { userClaims } from './claims.ts';
import { requireOAuthServer } from './enabled.ts';
import { splitScopes } from './scopes.ts';

/**
 * Returns the claims of the session's scopes; only `sub` for sessions of the account itself. Errors follow RFC
 * 6750 §3.
 */
export async function userinfo(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  const { user, session } = await requireToken(context, request);
  const [proven] = await context.database.query<ProvenAddresses>(findProvenAddresses(user.id));
  const claims = userClaims(user, splitScopes(session?.scopes ?? ''), proven);
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: { sub: user.id, ...claims } };
}

async function requireToken(context: AuthContext, request: AuthRequest): Promise<Caller> {
  try {
    return await requireCallerOrApplication(context, request);
  } catch (error) {
    if (!(error instanceof CatalogueError) || error.status >= 500) throw error;
    // A request without a token gets a challenge without an error code (RFC 6750 §3.1).
    const challenge =
      error.code === 'no_authorization'
        ? 'Bearer realm="oauth"'
        : 'Bearer realm="oauth", error="invalid_token"';
    throw new OAuthError('invalid_token', 'The access token is missing or not valid', {
      status: 401,
      challenge,
    });
  }
}
