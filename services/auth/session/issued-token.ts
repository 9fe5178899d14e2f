/** The refresh tokens that a session begins and goes on with, by the version that is configured. */

import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import {
  hashRefreshToken,
  randomRefreshToken,
  randomSessionKey,
  refreshTokenPrefix,
} from './refresh-token.ts';
import type { SessionRow } from './session.ts';
import {
  openSessionKey,
  parseSignedToken,
  sealedSessionKey,
  signRefreshToken,
} from './signed-refresh-token.ts';

/** Derives the secret that seals the keys of sessions. */
const PURPOSE = 'refresh-tokens';
const PERCENT = 100;
const HEX = 16;

/** A session's first token, and what is stored of it. */
interface FirstToken {
  text: string;
  /** For `auth.refresh_tokens`; null where no row is needed. */
  hash: string | null;
  sessionKey: string;
  /** Null where tokens have rows. */
  counter: number | null;
}

/** Makes the first token of a session. */
export function firstToken(context: AuthContext, sessionId: string): FirstToken {
  if (context.config.refreshTokens.version === 2) return firstSignedToken(context, sessionId);
  const text = randomRefreshToken();
  return { text, hash: hashRefreshToken(text), sessionKey: randomSessionKey(), counter: null };
}

/** Makes the first signed token of a session. */
export function firstSignedToken(context: AuthContext, sessionId: string): FirstToken & { counter: number } {
  return rekeyedToken(context, sessionId, 0);
}

/** Makes a signed token with a new session key, which makes all signed tokens of the session before it unknown. */
export function rekeyedToken(
  { keys }: AuthContext,
  sessionId: string,
  counter: number,
): FirstToken & { counter: number } {
  const { key, sealed } = sealedSessionKey(sessionId, keys.derive(PURPOSE));
  return { text: signRefreshToken(sessionId, counter, key), hash: null, sessionKey: sealed, counter };
}

/** The session's token with a counter. Throws where the session's key cannot be read. */
export function tokenOfCounter(context: AuthContext, session: SessionKeys, counter: number): string {
  return signRefreshToken(session.id, counter, sessionKeyOf(context, session));
}

/** What of a session its tokens need. */
type SessionKeys = Pick<SessionRow, 'id' | 'hmac_key'>;

/** The key of a session with signed tokens. Rows of another program's or another secret's are none to go on with. */
export function sessionKeyOf({ keys }: AuthContext, { id, hmac_key }: SessionKeys): Buffer {
  const key = hmac_key === null ? undefined : openSessionKey(hmac_key, id, keys.derive(PURPOSE));
  if (key !== undefined) return key;
  throw noSession();
}

/** What a client is told whose token has no session any more, or none that can go on. */
export function noSession() {
  return failure('session_not_found', {
    status: 400,
    message: 'Invalid Refresh Token: No Valid Session Found',
  });
}

/** Whether a session with stored tokens is to go on with signed ones. Always the same for one session. */
export function isUpgraded(
  sessionId: string,
  { version, upgradePercentage }: AuthContext['config']['refreshTokens'],
): boolean {
  // The last digits of a random UUID are random.
  return version === 2 && Number.parseInt(sessionId.slice(-6), HEX) % PERCENT < upgradePercentage;
}

/** What response headers tell of a token: as GoTrue, its beginning or its counter. */
export function refreshTokenHeaders(text: string): Record<string, string> {
  const signed = parseSignedToken(text);
  if (signed === undefined) return { 'sb-auth-refresh-token-prefix': refreshTokenPrefix(text) };
  return { 'sb-auth-refresh-token-counter': String(signed.counter) };
}
