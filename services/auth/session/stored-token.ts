/** Presented refresh tokens of version 1: random or derived texts with a row each. Their rules are in rotation.ts. */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { firstSignedToken, sessionNotFound, shouldUpgrade, signedTokenFor } from './issued-token.ts';
import type { PresentedToken, RefreshDecision } from './presented-token.ts';
import {
  deleteToken,
  findRefreshToken,
  type HeldToken,
  insertToken,
  lockRefreshToken,
  revokeToken,
  setCounter,
} from './refresh-statements.ts';
import { deriveRefreshToken, hashRefreshToken, isRefreshToken } from './refresh-token.ts';
import { isWithinReuseInterval, planRotation } from './rotation.ts';
import type { SessionRow } from './session.ts';

/** Parses a token; undefined if it is malformed or of another version. */
export function storedToken(text: string): PresentedToken<HeldToken> | undefined {
  if (!isRefreshToken(text)) return undefined;
  const hash = hashRefreshToken(text);
  return {
    key: hash,
    lock: (_, tx) => lock(tx, hash),
    requireExists: (context) => requireExists(context, hash),
    decide: (context, held) => decide(context, held, { text, hash }),
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

/** Throws if the token or its session does not exist. Returns if another request holds the token. */
async function requireExists({ database }: AuthContext, hash: string): Promise<void> {
  const [found] = await database.query<{ has_session: boolean }>(findRefreshToken(hash));
  if (found === undefined) throw failure('refresh_token_not_found');
  if (found.has_session) return;
  await database.query(deleteToken(hash));
  throw sessionNotFound();
}

function decide(context: AuthContext, held: HeldToken, token: TokenText): RefreshDecision {
  const { session, token_revoked: revoked, token_changed_at: changedAt } = held;
  if (session.counter !== null) return followUpgrade(context, held, token, session.counter);
  const rotation = planRotation(
    { hash: token.hash, revoked, changedAt },
    held.active ?? undefined,
    context.config.refreshTokens,
    context.now(),
  );
  if (rotation === 'refuse') return { kind: 'refuse' };
  if (rotation !== 'repeat' && shouldUpgrade(held.session.id, context.config.refreshTokens)) {
    return upgrade(context, held);
  }
  return rotation === 'repeat' && held.active !== null
    ? repeat(held, token, held.active.id)
    : issueSuccessor(context, held, token);
}

const FIRST_USE = { 'sb-auth-refresh-token-reuse': 'false' };
const ROTATED = ['token_refreshed', 'token_revoked'] as const;

function issueSuccessor({ now }: AuthContext, held: HeldToken, { text, hash }: TokenText): RefreshDecision {
  const { session, next_id: id } = held;
  const refreshToken = deriveRefreshToken(text, id, requireKey(session));
  const child = {
    id,
    hash: hashRefreshToken(refreshToken),
    parentHash: hash,
    sessionId: session.id,
    userId: held.id,
  };
  const statements = [revokeToken(held.token_id, now()), insertToken(child, now())];
  return { kind: 'issue', refreshToken, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The client missed the last response. */
function repeat({ session }: HeldToken, { text }: TokenText, activeId: string): RefreshDecision {
  const refreshToken = deriveRefreshToken(text, activeId, requireKey(session));
  return { kind: 'issue', refreshToken, statements: [], audit: ['token_refreshed'], headers: {} };
}

/** Switches the session to signed tokens. */
function upgrade(context: AuthContext, { session, token_id }: HeldToken): RefreshDecision {
  const { text, sessionKey, counter } = firstSignedToken(context, session.id);
  const statements = [revokeToken(token_id, context.now()), setCounter(session.id, counter, sessionKey)];
  return { kind: 'issue', refreshToken: text, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The session already uses signed tokens, but this client still presents its last stored one. */
function followUpgrade(
  context: AuthContext,
  held: HeldToken,
  { hash }: TokenText,
  counter: number,
): RefreshDecision {
  const isFirstUse = !held.token_revoked;
  if (!isFirstUse && !held.is_upgraded_from && !mayRepeat(context, held, hash)) return { kind: 'refuse' };
  const refreshToken = signedTokenFor(context, held.session, counter);
  return {
    kind: 'issue',
    refreshToken,
    statements: isFirstUse ? [revokeToken(held.token_id, context.now())] : [],
    audit: isFirstUse ? ROTATED : ['token_refreshed'],
    headers: isFirstUse ? FIRST_USE : {},
  };
}

/** An upgraded session may have no active stored token, so the age of the presented token decides. */
function mayRepeat({ config, now }: AuthContext, held: HeldToken, hash: string): boolean {
  return (
    held.active?.parent === hash ||
    isWithinReuseInterval({ changedAt: held.token_changed_at }, config.refreshTokens, now())
  );
}

/** Sessions opened by this service always have a key; sessions written by another program cannot be continued. */
function requireKey({ hmac_key }: SessionRow): string {
  if (hmac_key !== null) return hmac_key;
  throw sessionNotFound();
}
