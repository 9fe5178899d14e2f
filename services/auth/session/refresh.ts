/**
 * POST /token?grant_type=refresh_token: exchanges a refresh token for a new access token and the next refresh
 * token. This module serialises concurrent requests and orders the checks; {@link PresentedToken} hides the
 * token formats and their rules for reuse.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '@greenroom/postgres';
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { OAuthError } from '../http/oauth-error.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { isBanned } from '../user/user.ts';
import type { SessionClient } from './access-token.ts';
import { grantWithin } from './grant.ts';
import { createKeyedMutex } from './keyed-mutex.ts';
import { endSession } from './list.ts';
import { inetOf } from './open.ts';
import type { LockedTokenSession, PresentedToken, RefreshDecision } from './presented-token.ts';
import { lockSessionsOfUser, recordRefresh } from './refresh-statements.ts';
import { type Grant, respondWithSession, type SessionResponse } from './response.ts';
import { reachableLevel, type SessionRow } from './session.ts';
import { signedToken } from './signed-token.ts';
import { storedToken } from './stored-token.ts';
import { effectiveTag, expiryOf, lastRefreshMs } from './validity.ts';

/**
 * Concurrent requests for one token wait in this process instead of occupying database connections. They retry
 * after a random delay to avoid a burst.
 */
const RETRY_FOR_MS = 5000;
const RETRY_MIN_MS = 10;
const RETRY_SPREAD_MS = 20;

const runExclusive = createKeyedMutex();

const fields = z.object({ refresh_token: textField });

/** A token and the application that sent it. */
interface Presented {
  token: PresentedToken;
  clientId: string | undefined;
}

/** Exchanges a refresh token of one of the account's own sessions. */
export async function refreshSession(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { refresh_token: text } = parseBody(request.body, fields);
  return exchangeRefreshToken(context, request, text);
}

/**
 * Exchanges a refresh token. Throws `conflict` if other requests hold the session for too long.
 * @param clientId the application that sent the token, which must be the session's; undefined for the account's
 * own sessions
 */
export async function exchangeRefreshToken(
  context: AuthContext,
  request: AuthRequest,
  text: string,
  clientId?: string,
): Promise<SessionResponse> {
  const token = storedToken(text) ?? signedToken(text);
  if (token === undefined) throw failure('validation_failed', { message: 'Refresh token is not valid' });
  const deadline = context.now().getTime() + RETRY_FOR_MS;
  do {
    // Requests for the same token run one at a time: a concurrent one would only find the token locked and
    // retry repeatedly.
    const response = await runExclusive(token.key, () =>
      context.hooks.transaction((tx) => attempt(tx, context, request, { token, clientId })),
    );
    if (response !== undefined) return response;
    await token.requireExists(context);
    await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);
  } while (context.now().getTime() < deadline);
  throw failure('conflict');
}

/** Returns undefined if another request holds the token, its session, or (with one session per user) its user. */
async function attempt(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { token, clientId }: Presented,
): Promise<SessionResponse | undefined> {
  const locked = await token.lock(context, tx);
  if (locked === undefined) return undefined;
  requireMatchingClient(locked.session, clientId);
  requireUsable(locked, context);
  if (context.config.sessions.singlePerUser) {
    const sessions = await tx.query<{ session: SessionRow }>(lockSessionsOfUser(locked.id));
    if (sessions.length === 0) return undefined;
    requireNewest(
      locked,
      sessions.map((row) => row.session),
      context,
    );
  }
  const step = token.decide(context, locked);
  if (step.kind === 'issue') return exchange(tx, context, request, locked, step);
  if (!context.config.refreshTokens.rotation) throw failure('refresh_token_already_used');
  // Commit before rejecting: the session must end although the request fails. Deleting its row deletes all its
  // tokens, so neither the reuse interval nor a concurrent request can restore the token family.
  await tx.commit([
    endSession(locked.session.id, locked.id),
    ...writeAudit(context, request, [reuseEntry(locked)]),
  ]);
  throw failure('refresh_token_already_used', { headers: { 'sb-auth-refresh-token-rotated': 'true' } });
}

function reuseEntry(locked: LockedTokenSession) {
  return auditEntry(locked, 'token_revoked', {
    reason: 'refresh_token_reuse',
    session_id: locked.session.id,
  });
}

/** Must be the first check: a client that may not use a token must not be able to revoke it either. */
function requireMatchingClient({ oauth_client_id: owner }: SessionRow, clientId: string | undefined): void {
  if (owner === (clientId ?? null)) return;
  if (clientId === undefined) {
    throw new OAuthError('invalid_client', 'Client authentication required for OAuth session');
  }
  throw new OAuthError('invalid_grant', 'The refresh token was not issued to this client');
}

function requireUsable(locked: LockedTokenSession, { config, now }: AuthContext): void {
  if (isBanned(locked, now())) {
    throw failure('user_banned', { status: 400, message: 'Invalid Refresh Token: User Banned' });
  }
  const reachable = reachableLevel(locked);
  const expiry = expiryOf(locked.session, config.sessions, {
    now: now(),
    reachable,
    tokenChangedAt: locked.token_changed_at,
  });
  if (expiry === undefined) return;
  throw failure('session_expired', { message: `Invalid Refresh Token: ${expiry}` });
}

/**
 * Allows only the most recently refreshed session to continue; ignores sessions with another tag and expired
 * sessions.
 */
function requireNewest(
  locked: LockedTokenSession,
  sessions: readonly SessionRow[],
  { config, now }: AuthContext,
): void {
  const { tags } = config.sessions;
  const validity = { now: now(), reachable: reachableLevel(locked) };
  const lastUse = lastRefreshMs(locked.session, locked.token_changed_at);
  const superseded = sessions.some(
    (other) =>
      other.id !== locked.session.id &&
      effectiveTag(other.tag, tags) === effectiveTag(locked.session.tag, tags) &&
      expiryOf(other, config.sessions, validity) === undefined &&
      lastRefreshMs(other) > lastUse,
  );
  if (!superseded) return;
  const message = 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)';
  throw failure('session_expired', { message });
}

/** Signs the access token while the writes are in progress. If they fail, the token is never sent. */
async function exchange(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  locked: LockedTokenSession,
  {
    refreshToken,
    statements: own,
    audit,
    headers,
    isRepeat = false,
  }: Extract<RefreshDecision, { kind: 'issue' }>,
): Promise<SessionResponse> {
  const now = context.now();
  const { session } = locked;
  const client = {
    userAgent: request.header('user-agent') || null,
    ip: inetOf(request.address),
    isRepeat,
  };
  const grant: Grant = {
    user: { ...locked, last_sign_in_at: now, updated_at: now },
    session: {
      id: session.id,
      createdAt: new Date(session.created_at),
      amr: session.amr ?? [],
      client: clientOf(session),
      isUserVerified: session.user_verified,
    },
    refreshToken,
    headers,
    method: 'token_refresh',
  };
  const statements = [
    ...own,
    recordRefresh(session.id, locked.id, client, now),
    ...writeAudit(
      context,
      request,
      audit.map((action) => auditEntry(locked, action)),
    ),
  ];
  if (context.hooks.isSet('customAccessToken')) {
    return grantWithin(tx, context, request, { statements, grantOf: () => grant });
  }
  const [response] = await Promise.all([respondWithSession(context, request, grant), tx.commit(statements)]);
  return response;
}

function clientOf({ oauth_client_id: id, scopes }: SessionRow): SessionClient | undefined {
  return id === null ? undefined : { id, scope: scopes ?? '' };
}
