/**
 * POST /token?grant_type=refresh_token: exchanges a refresh token for a new access token and the next refresh
 * token. In charge of turns and of the order of checks; what tokens are and which may be used again is behind
 * {@link PresentedToken}.
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
import { endSession } from './list.ts';
import { inetOf } from './open.ts';
import type { HeldSession, NextStep, PresentedToken } from './presented-token.ts';
import { lockSessionsOfUser, noteRefresh } from './refresh-statements.ts';
import { answerWithSession, type Grant, type SessionAnswer } from './response.ts';
import { reachableLevel, type SessionRow } from './session.ts';
import { signedToken } from './signed-token.ts';
import { storedToken } from './stored-token.ts';
import { createTurns } from './turns.ts';
import { effectiveTag, expiryOf, lastRefreshMs } from './validity.ts';

/**
 * Requests for one token wait here and not in the database, so that they do not use up its connections. They
 * look again after a random pause, so that they do not all come at once.
 */
const RETRY_FOR_MS = 5000;
const RETRY_MIN_MS = 10;
const RETRY_SPREAD_MS = 20;

const takeTurn = createTurns();

const fields = z.object({ refresh_token: textField });

/** A token, and by which application it was sent. */
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
 * Exchanges a refresh token. @param clientId the application that has sent it, which must be the session's; undefined
 * where none has
 */
export async function exchangeRefreshToken(
  context: AuthContext,
  request: AuthRequest,
  text: string,
  clientId?: string,
): Promise<SessionAnswer> {
  const token = storedToken(text) ?? signedToken(text);
  if (token === undefined) throw failure('validation_failed', { message: 'Refresh token is not valid' });
  const giveUpAt = context.now().getTime() + RETRY_FOR_MS;
  do {
    // In turns: who comes while another one holds the token would only find it held, and ask again and again.
    const answer = await takeTurn(token.key, () =>
      context.hooks.transaction((tx) => attempt(tx, context, request, { token, clientId })),
    );
    if (answer !== undefined) return answer;
    await token.requireExists(context);
    await sleep(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);
  } while (context.now().getTime() < giveUpAt);
  throw failure('conflict');
}

/**
 * Undefined where another request holds the token, its session, or (if sessions exclude each other) its user.
 */
async function attempt(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { token, clientId }: Presented,
): Promise<SessionAnswer | undefined> {
  const held = await token.lock(context, tx);
  if (held === undefined) return undefined;
  requireItsClient(held.session, clientId);
  requireUsable(held, context);
  if (context.config.sessions.singlePerUser) {
    const sessions = await tx.query<{ session: SessionRow }>(lockSessionsOfUser(held.id));
    if (sessions.length === 0) return undefined;
    requireNewest(
      held,
      sessions.map((row) => row.session),
      context,
    );
  }
  const step = token.next(context, held);
  if (step.kind === 'issue') return exchange(tx, context, request, held, step);
  if (!context.config.refreshTokens.rotation) throw failure('refresh_token_already_used');
  // Committed before the refusal: the session ends although the request fails. Its row goes, and all tokens with it, so
  // that no reuse interval and no concurrent request can bring the family back.
  await tx.commit([
    endSession(held.session.id, held.id),
    ...writeAudit(context, request, [reuseEntry(held)]),
  ]);
  throw failure('refresh_token_already_used', { headers: { 'sb-auth-refresh-token-rotated': 'true' } });
}

function reuseEntry(held: HeldSession) {
  return auditEntry(held, 'token_revoked', { reason: 'refresh_token_reuse', session_id: held.session.id });
}

/** First of all checks: whoever must not use a token must not be able to spend or revoke it either. */
function requireItsClient({ oauth_client_id: owner }: SessionRow, clientId: string | undefined): void {
  if (owner === (clientId ?? null)) return;
  if (clientId === undefined) {
    throw new OAuthError('invalid_client', 'Client authentication required for OAuth session');
  }
  throw new OAuthError('invalid_grant', 'The refresh token was not issued to this client');
}

function requireUsable(held: HeldSession, { config, now }: AuthContext): void {
  if (isBanned(held, now())) {
    throw failure('user_banned', { status: 400, message: 'Invalid Refresh Token: User Banned' });
  }
  const reachable = reachableLevel(held);
  const expiry = expiryOf(held.session, config.sessions, {
    now: now(),
    reachable,
    tokenChangedAt: held.token_changed_at,
  });
  if (expiry === undefined) return;
  throw failure('session_expired', { message: `Invalid Refresh Token: ${expiry}` });
}

/** Only the session that was refreshed last may go on; those of another tag, or over anyway, do not count. */
function requireNewest(
  held: HeldSession,
  sessions: readonly SessionRow[],
  { config, now }: AuthContext,
): void {
  const { tags } = config.sessions;
  const validity = { now: now(), reachable: reachableLevel(held) };
  const lastUse = lastRefreshMs(held.session, held.token_changed_at);
  const superseded = sessions.some(
    (other) =>
      other.id !== held.session.id &&
      effectiveTag(other.tag, tags) === effectiveTag(held.session.tag, tags) &&
      expiryOf(other, config.sessions, validity) === undefined &&
      lastRefreshMs(other) > lastUse,
  );
  if (!superseded) return;
  const message = 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)';
  throw failure('session_expired', { message });
}

/** The token is signed while the writes are under way; should they fail, nobody gets to see it. */
async function exchange(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  held: HeldSession,
  { refreshToken, statements: own, audit, headers, isRepeat = false }: Extract<NextStep, { kind: 'issue' }>,
): Promise<SessionAnswer> {
  const now = context.now();
  const { session } = held;
  const refresher = {
    userAgent: request.header('user-agent') || null,
    ip: inetOf(request.address),
    isRepeat,
  };
  const grant: Grant = {
    user: { ...held, last_sign_in_at: now, updated_at: now },
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
    noteRefresh(session.id, held.id, refresher, now),
    ...writeAudit(
      context,
      request,
      audit.map((action) => auditEntry(held, action)),
    ),
  ];
  if (context.hooks.isSet('customAccessToken')) {
    return grantWithin(tx, context, request, { statements, grantOf: () => grant });
  }
  const [answer] = await Promise.all([answerWithSession(context, request, grant), tx.commit(statements)]);
  return answer;
}

function clientOf({ oauth_client_id: id, scopes }: SessionRow): SessionClient | undefined {
  return id === null ? undefined : { id, scope: scopes ?? '' };
}
