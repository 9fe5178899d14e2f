/** Presented refresh tokens of version 1: random or derived texts with a row each. Their rules are in rotation.ts. */
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { firstSignedToken, sessionNotFound, shouldUpgrade, signedTokenFor } from './issued-token.ts';
import type { PresentedToken, RefreshDecision } from './presented-token.ts';
import {
  deleteToken,
  findRefreshToken,
  insertToken,
  type LockedRefreshToken,
  lockRefreshToken,
  revokeToken,
  setCounter,
} from './refresh-statements.ts';
import { deriveRefreshToken, hashRefreshToken, isRefreshToken } from './refresh-token.ts';
import { isWithinReuseInterval, planRotation } from './rotation.ts';
import type { SessionRow } from './session.ts';

/** Parses a token; undefined if it is malformed or of another version. */
export function storedToken(text: string): PresentedToken<LockedRefreshToken> | undefined {
  if (!isRefreshToken(text)) return undefined;
  const hash = hashRefreshToken(text);
  return {
    key: hash,
    lock: (_, tx) => lock(tx, hash),
    requireExists: (context) => requireExists(context, hash),
    decide: (context, locked) => decide(context, locked, { text, hash }),
  };
}

interface TokenText {
  text: string;
  hash: string;
}

async function lock(tx: Transaction, hash: string): Promise<LockedRefreshToken | undefined> {
  const [locked] = await tx.query<LockedRefreshToken>(lockRefreshToken(hash));
  if (locked === undefined || locked.is_fresh) return locked;
  const [fresh] = await tx.query<LockedRefreshToken>(lockRefreshToken(hash));
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

function decide(context: AuthContext, locked: LockedRefreshToken, token: TokenText): RefreshDecision {
  const { session, token_revoked: revoked, token_changed_at: changedAt } = locked;
  if (session.counter !== null) return followUpgrade(context, locked, token, session.counter);
  const rotation = planRotation(
    { hash: token.hash, revoked, changedAt },
    locked.active ?? undefined,
    context.config.refreshTokens,
    context.now(),
  );
  if (rotation === 'refuse') return { kind: 'refuse' };
  if (rotation !== 'repeat' && shouldUpgrade(locked.session.id, context.config.refreshTokens)) {
    return upgrade(context, locked);
  }
  return rotation === 'repeat' && locked.active !== null
    ? repeat(locked, token, locked.active.id)
    : issueSuccessor(context, locked, token);
}

const FIRST_USE = { 'sb-auth-refresh-token-reuse': 'false' };
const ROTATED = ['token_refreshed', 'token_revoked'] as const;

function issueSuccessor(
  { now }: AuthContext,
  locked: LockedRefreshToken,
  { text, hash }: TokenText,
): RefreshDecision {
  const { session, next_id: id } = locked;
  const refreshToken = deriveRefreshToken(text, id, requireKey(session));
  const child = {
    id,
    hash: hashRefreshToken(refreshToken),
    parentHash: hash,
    sessionId: session.id,
    userId: locked.id,
  };
  const statements = [revokeToken(locked.token_id, now()), insertToken(child, now())];
  return { kind: 'issue', refreshToken, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The client missed the last response. */
function repeat({ session }: LockedRefreshToken, { text }: TokenText, activeId: string): RefreshDecision {
  const refreshToken = deriveRefreshToken(text, activeId, requireKey(session));
  return { kind: 'issue', refreshToken, statements: [], audit: ['token_refreshed'], headers: {} };
}

/** Switches the session to signed tokens. */
function upgrade(context: AuthContext, { session, token_id }: LockedRefreshToken): RefreshDecision {
  const { text, sessionKey, counter } = firstSignedToken(context, session.id);
  const statements = [revokeToken(token_id, context.now()), setCounter(session.id, counter, sessionKey)];
  return { kind: 'issue', refreshToken: text, statements, audit: ROTATED, headers: FIRST_USE };
}

/** The session already uses signed tokens, but this client still presents its last stored one. */
function followUpgrade(
  context: AuthContext,
  locked: LockedRefreshToken,
  { hash }: TokenText,
  counter: number,
): RefreshDecision {
  const isFirstUse = !locked.token_revoked;
  if (!isFirstUse && !locked.is_upgraded_from && !mayRepeat(context, locked, hash)) return { kind: 'refuse' };
  const refreshToken = signedTokenFor(context, locked.session, counter);
  return {
    kind: 'issue',
    refreshToken,
    statements: isFirstUse ? [revokeToken(locked.token_id, context.now())] : [],
    audit: isFirstUse ? ROTATED : ['token_refreshed'],
    headers: isFirstUse ? FIRST_USE : {},
  };
}

/** An upgraded session may have no active stored token, so the age of the presented token decides. */
function mayRepeat({ config, now }: AuthContext, locked: LockedRefreshToken, hash: string): boolean {
  return (
    locked.active?.parent === hash ||
    isWithinReuseInterval({ changedAt: locked.token_changed_at }, config.refreshTokens, now())
  );
}

/** Sessions opened by this service always have a key; sessions written by another program cannot be continued. */
function requireKey({ hmac_key }: SessionRow): string {
  if (hmac_key !== null) return hmac_key;
  throw sessionNotFound();
}
