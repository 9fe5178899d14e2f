/**
 * GET /oauth/authorizations/:authorizationId and POST …/consent: what an application asks for, and what somebody says to
 * it. For the site's page that asks for consent.
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
  randomTicket,
} from './authorization.ts';
import {
  approveAuthorization,
  claimAuthorization,
  closeAuthorization,
  lockAuthorization,
} from './authorization-statements.ts';
import { type ClientRow, toClientSummary } from './client.ts';
import { grantConsent, lockConsent } from './consent-statements.ts';
import { requireOAuthServer, requireOwnOrigin } from './enabled.ts';
import { covers } from './scopes.ts';

const fields = z.object({ action: textField });
const TICKET = /^[\w-]{1,64}$/;
const PRIVATE = { 'cache-control': 'no-store' };

type OpenRequest = AuthorizationRow & Pick<ClientRow, 'client_name' | 'client_uri' | 'logo_uri'>;

/** Answers what is asked for, or, where that was allowed before, the address to go on to. */
export async function showAuthorization(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  requireOwnOrigin(context, request);
  const user = await requirePerson(context, request);
  context.limits.check('oauthAuthorize', request, context.now(), user.id);
  return context.database.transaction(async (tx) => {
    const asked = await requireOpen(tx, context, request, user);
    const [consent] = await tx.query<{ scopes: string }>(lockConsent(user.id, asked.client_id));
    if (consent !== undefined && covers(consent.scopes, asked.scope))
      return approve(tx, context, asked, user);
    await tx.commit([claimAuthorization(asked.id, user.id)]);
    return { status: 200, headers: PRIVATE, body: toDetails(asked, user) };
  });
}

/** Takes somebody's decision; answers the address to go on to. Only who has seen the request can decide. */
export async function decideAuthorization(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  requireOAuthServer(context);
  requireOwnOrigin(context, request);
  const user = await requirePerson(context, request);
  context.limits.check('oauthAuthorize', request, context.now(), user.id);
  const { action } = parseBody(request.body, fields);
  if (action !== 'approve' && action !== 'deny') {
    throw failure('validation_failed', { message: "action must be 'approve' or 'deny'" });
  }
  return context.database.transaction(async (tx) => {
    const asked = await requireOpen(tx, context, request, user);
    if (asked.user_id === null) throw failure('oauth_authorization_not_found');
    return action === 'approve' ? approve(tx, context, asked, user, 'noted') : deny(tx, context, asked);
  });
}

/** An application signs in as the user, so the password of a user with a second factor is not enough. */
async function requirePerson(context: AuthContext, request: AuthRequest): Promise<UserRow> {
  const caller = await requireCaller(context, request);
  requireSecondFactor(caller, 403, 'AAL2 required to sign in to applications');
  return caller.user;
}

/** The request, locked. To everybody but who has opened it first it is not there. */
async function requireOpen(
  tx: Transaction,
  { now }: AuthContext,
  { params }: AuthRequest,
  user: UserRow,
): Promise<OpenRequest> {
  const ticket = params.authorizationId ?? '';
  const [asked] = TICKET.test(ticket) ? await tx.query<OpenRequest>(lockAuthorization(ticket)) : [];
  const isTheirs = asked?.user_id === null || asked?.user_id === user.id;
  if (asked === undefined || !isTheirs) throw failure('oauth_authorization_not_found');
  if (asked.status === 'pending' && asked.expires_at <= now()) {
    await tx.commit([closeAuthorization(asked.id, 'expired')]);
    throw failure('oauth_authorization_not_found');
  }
  if (asked.status === 'pending') return asked;
  throw failure('validation_failed', { message: 'authorization request is no longer pending' });
}

async function approve(
  tx: Transaction,
  { config, now }: AuthContext,
  asked: OpenRequest,
  user: UserRow,
  consent: 'noted' | 'given before' = 'given before',
): Promise<AuthResponse> {
  const [code, at] = [randomTicket(), now()];
  const approval = { userId: user.id, codeHash: hashCode(code), now: at, expiresAt: codeExpiry(config, at) };
  await tx.commit([
    approveAuthorization(asked.id, approval),
    ...(consent === 'noted' ? [grantConsent(user.id, asked.client_id, asked.scope, at)] : []),
  ]);
  return { status: 200, headers: PRIVATE, body: { redirect_url: codeUrl(config, asked, code) } };
}

async function deny(tx: Transaction, { config }: AuthContext, asked: OpenRequest): Promise<AuthResponse> {
  await tx.commit([closeAuthorization(asked.id, 'denied')]);
  const refusal = { error: 'access_denied', description: 'User denied the request' } as const;
  return { status: 200, headers: PRIVATE, body: { redirect_url: errorUrl(config, asked, refusal) } };
}

function toDetails(asked: OpenRequest, user: UserRow) {
  return {
    authorization_id: asked.authorization_id,
    redirect_uri: asked.redirect_uri,
    client: toClientSummary(asked),
    user: { id: user.id, email: user.email ?? '' },
    scope: asked.scope,
  };
}
