/** Refresh tokens of version 1 as they are presented: a random text that has a row. The rules are in rotation.ts. */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { firstSignedToken, isUpgraded, noSession, tokenOfCounter } from './issued-token.ts';
import type { NextStep, PresentedToken } from './presented-token.ts';
import {
  deleteToken,
  findRefreshToken,
  type HeldToken,
  insertToken,
  lockRefreshToken,
  setCounter,
  spendToken,
} from './refresh-statements.ts';
import { deriveRefreshToken, hashRefreshToken, isRefreshToken } from './refresh-token.ts';
import { isWithinReuseInterval, planRotation } from './rotation.ts';
import type { SessionRow } from './session.ts';

/** Reads a token; undefined where it is of another version, or none. */
export function storedToken(text: string): PresentedToken<HeldToken> | undefined {
  if (!isRefreshToken(text)) return undefined;
  const hash = hashRefreshToken(text);
  return {
    key: hash,
    lock: (_, tx) => lock(tx, hash),
    requireExists: (context) => requireExists(context, hash),
    next: (context, held) => next(context, held, { text, hash }),
  };
}

interface TokenText {
  text: string;
  hash: string;
}

async function lock(tx: Transaction, hash: string): Promise<HeldToken | undefined> {
  const [held] = await tx.query<HeldToken>(lockRefreshToken(hash));
  if (held === undefined || held.is_fresh) return held;
  const [fresh] = await tx.query<HeldToken>(lockRefreshToken(hash));
  return fresh;
}

/** Tells a token that is held by another request from one that is not there, or not there any more. */
async function requireExists({ database }: AuthContext, hash: string): Promise<void> {
  const [found] = await database.query<{ has_session: boolean }>(findRefreshToken(hash));
  if (found === undefined) throw failure('refresh_token_not_found');
  if (found.has_session) return;
  await database.query(deleteToken(hash));
  throw noSession();
}

function next(context: AuthContext, held: HeldToken, token: TokenText): NextStep {
  const { session, token_revoked: revoked, token_changed_at: changedAt } = held;
  if (session.counter !== null) return followUpgrade(context, held, token, session.counter);
  const rotation = planRotation(
    { hash: token.hash, revoked, changedAt },
    held.active ?? undefined,
    context.config.refreshTokens,
    context.now(),
  );
  if (rotation === 'refuse') return { kind: 'refuse' };
  if (rotation !== 'repeat' && isUpgraded(held.session.id, context.config.refreshTokens)) {
    return upgrade(context, held);
  }
  return rotation === 'repeat' && held.active !== null
    ? repeat(held, token, held.active.id)
    : succeed(context, held, token);
}

const FIRST_USE = { 'sb-auth-refresh-token-reuse': 'false' };
const ROTATED = ['token_refreshed', 'token_revoked'] as const;

function succeed({ now }: AuthContext, held: HeldToken, { text, hash }: TokenText): NextStep {
  const { session, next_id: id } = held;
  const refreshToken = deriveRefreshToken(text, id, requireKey(session));
  const child = {
    id,
    hash: hashRefreshToken(refreshToken),
    parentHash: hash,
    sessionId: session.id,
    userId: held.id,
  };
  const statements = [spendToken(held.token_id, now()), insertToken(child, now())];
  return { kind: 'issue', refreshToken, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The client missed the last answer. */
function repeat({ session }: HeldToken, { text }: TokenText, activeId: string): NextStep {
  const refreshToken = deriveRefreshToken(text, activeId, requireKey(session));
  return { kind: 'issue', refreshToken, statements: [], audit: ['token_refreshed'], headers: {} };
}

/** The session goes on with signed tokens. */
function upgrade(context: AuthContext, { session, token_id }: HeldToken): NextStep {
  const { text, sessionKey, counter } = firstSignedToken(context, session.id);
  const statements = [spendToken(token_id, context.now()), setCounter(session.id, counter, sessionKey)];
  return { kind: 'issue', refreshToken: text, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The session went on with signed tokens already, and this client does not know it yet. */
function followUpgrade(
  context: AuthContext,
  held: HeldToken,
  { hash }: TokenText,
  counter: number,
): NextStep {
  const isFirstUse = !held.token_revoked;
  if (!isFirstUse && !held.is_upgraded_from && !mayRepeat(context, held, hash)) return { kind: 'refuse' };
  const refreshToken = tokenOfCounter(context, held.session, counter);
  return {
    kind: 'issue',
    refreshToken,
    statements: isFirstUse ? [spendToken(held.token_id, context.now())] : [],
    audit: isFirstUse ? ROTATED : ['token_refreshed'],
    headers: isFirstUse ? FIRST_USE : {},
  };
}

/** In an upgraded session no stored token needs to be active, so only the token's own age counts. */
function mayRepeat({ config, now }: AuthContext, held: HeldToken, hash: string): boolean {
  return (
    held.active?.parent === hash ||
    isWithinReuseInterval({ changedAt: held.token_changed_at }, config.refreshTokens, now())
  );
}

/** Every session that we open has a key; rows that another program put here are none that we can continue. */
function requireKey({ hmac_key }: SessionRow): string {
  if (hmac_key !== null) return hmac_key;
  throw noSession();
}
