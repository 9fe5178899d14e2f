/**
 * GET /oauth/authorizations/:authorizationId and POST …/consent: show an authorization request to the user and
 * record their decision. The site's consent page calls them.
 */
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { requireCaller, requireSecondFactor } from '../session/caller.ts';
import type { UserRow } from '../user/user.ts';
import {
  type AuthorizationRow,
  codeExpiry,
  codeUrl,
  errorUrl,
  hashCode,
  randomToken,
} from './authorization.ts';
import {
  approveAuthorization,
  claimAuthorization,
  closeAuthorization,
  lockAuthorization,
} from './authorization-statements.ts';
import { type ClientRow, toClientSummary } from './client.ts';
import { grantConsent, lockConsent } from './consent-statements.ts';
import { requireAllowedOrigin, requireOAuthServer } from './enabled.ts';
import { coversScopes } from './scopes.ts';

const fields = z.object({ action: textField });
const AUTHORIZATION_ID = /^[\w-]{1,64}$/;
const PRIVATE = { 'cache-control': 'no-store' };

type PendingAuthorization = AuthorizationRow & Pick<ClientRow, 'client_name' | 'client_uri' | 'logo_uri'>;

/** Returns the requested scopes, or, if the user has already consented to them, the URL to continue at. */
export async function showAuthorization(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  requireAllowedOrigin(context, request);
  const user = await requireUser(context, request);
  context.limits.check('oauthAuthorize', request, context.now(), user.id);
  return context.database.transaction(async (tx) => {
    const authorization = await requirePending(tx, context, request, user);
    const [consent] = await tx.query<{ scopes: string }>(lockConsent(user.id, authorization.client_id));
    if (consent !== undefined && coversScopes(consent.scopes, authorization.scope))
      return approve(tx, context, authorization, user);
    await tx.commit([claimAuthorization(authorization.id, user.id)]);
    return { status: 200, headers: PRIVATE, body: toDetails(authorization, user) };
  });
}

/**
 * Records the user's decision and returns the URL to continue at. Only the user who has opened the request can
 * decide.
 */
export async function decideAuthorization(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  requireAllowedOrigin(context, request);
  const user = await requireUser(context, request);
  context.limits.check('oauthAuthorize', request, context.now(), user.id);
  const { action } = parseBody(request.body, fields);
  if (action !== 'approve' && action !== 'deny') {
    throw failure('validation_failed', { message: "action must be 'approve' or 'deny'" });
  }
  return context.database.transaction(async (tx) => {
    const authorization = await requirePending(tx, context, request, user);
    if (authorization.user_id === null) throw failure('oauth_authorization_not_found');
    return action === 'approve'
      ? approve(tx, context, authorization, user, 'new')
      : deny(tx, context, authorization);
  });
}

/** An application acts as the user, so users with a second factor must have used it. */
async function requireUser(context: AuthContext, request: AuthRequest): Promise<UserRow> {
  const caller = await requireCaller(context, request);
  requireSecondFactor(caller, 403, 'AAL2 required to sign in to applications');
  return caller.user;
}

/**
 * Locks the pending request. Throws `oauth_authorization_not_found` for all users but the one who opened it
 * first.
 */
async function requirePending(
  tx: Transaction,
  { now }: AuthContext,
  { params }: AuthRequest,
  user: UserRow,
): Promise<PendingAuthorization> {
  const authorizationId = params.authorizationId ?? '';
  const [authorization] = AUTHORIZATION_ID.test(authorizationId)
    ? await tx.query<PendingAuthorization>(lockAuthorization(authorizationId))
    : [];
  const isOwn = authorization?.user_id === null || authorization?.user_id === user.id;
  if (authorization === undefined || !isOwn) throw failure('oauth_authorization_not_found');
  if (authorization.status === 'pending' && authorization.expires_at <= now()) {
    await tx.commit([closeAuthorization(authorization.id, 'expired')]);
    throw failure('oauth_authorization_not_found');
  }
  if (authorization.status === 'pending') return authorization;
  throw failure('validation_failed', { message: 'authorization request is no longer pending' });
}

async function approve(
  tx: Transaction,
  { config, now }: AuthContext,
  authorization: PendingAuthorization,
  user: UserRow,
  consent: 'new' | 'existing' = 'existing',
): Promise<AuthResponse> {
  const [code, at] = [randomToken(), now()];
  const approval = { userId: user.id, codeHash: hashCode(code), now: at, expiresAt: codeExpiry(config, at) };
  await tx.commit([
    approveAuthorization(authorization.id, approval),
    ...(consent === 'new' ? [grantConsent(user.id, authorization.client_id, authorization.scope, at)] : []),
  ]);
  return { status: 200, headers: PRIVATE, body: { redirect_url: codeUrl(config, authorization, code) } };
}

async function deny(
  tx: Transaction,
  { config }: AuthContext,
  authorization: PendingAuthorization,
): Promise<AuthResponse> {
  await tx.commit([closeAuthorization(authorization.id, 'denied')]);
  const denial = { error: 'access_denied', description: 'User denied the request' } as const;
  return { status: 200, headers: PRIVATE, body: { redirect_url: errorUrl(config, authorization, denial) } };
}

function toDetails(authorization: PendingAuthorization, user: UserRow) {
  return {
    authorization_id: authorization.authorization_id,
    redirect_uri: authorization.redirect_uri,
    client: toClientSummary(authorization),
    user: { id: user.id, email: user.email ?? '' },
    scope: authorization.scope,
  };
}
