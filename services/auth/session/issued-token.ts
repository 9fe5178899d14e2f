/** Issues refresh tokens of the configured version. */

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

/** Label for deriving the secret that encrypts session keys. */
const PURPOSE = 'refresh-tokens';
const PERCENT = 100;
const HEX = 16;

/** A session's first token and the values to store. */
interface FirstToken {
  text: string;
  /** For `auth.refresh_tokens`; null for signed tokens, which have no row. */
  hash: string | null;
  sessionKey: string;
  /** Null for stored tokens. */
  counter: number | null;
}

/** Creates the first token of a session, in the configured version. */
export function firstToken(context: AuthContext, sessionId: string): FirstToken {
  if (context.config.refreshTokens.version === 2) return firstSignedToken(context, sessionId);
  const text = randomRefreshToken();
  return { text, hash: hashRefreshToken(text), sessionKey: randomSessionKey(), counter: null };
}

export function firstSignedToken(context: AuthContext, sessionId: string): FirstToken & { counter: number } {
  return rekeyedToken(context, sessionId, 0);
}

/** Creates a signed token with a new session key, which invalidates all earlier signed tokens of the session. */
export function rekeyedToken(
  { keys }: AuthContext,
  sessionId: string,
  counter: number,
): FirstToken & { counter: number } {
  const { key, sealed } = sealedSessionKey(sessionId, keys.derive(PURPOSE));
  return { text: signRefreshToken(sessionId, counter, key), hash: null, sessionKey: sealed, counter };
}

/** Returns the session's signed token for a counter. Throws if the session's key cannot be decrypted. */
export function signedTokenFor(context: AuthContext, session: SessionKeys, counter: number): string {
  return signRefreshToken(session.id, counter, sessionKeyOf(context, session));
}

type SessionKeys = Pick<SessionRow, 'id' | 'hmac_key'>;

/**
 * Returns the key of a session with signed tokens. Throws `session_not_found` if another program wrote the row
 * or the secret has changed.
 */
export function sessionKeyOf({ keys }: AuthContext, { id, hmac_key }: SessionKeys): Buffer {
  const key = hmac_key === null ? undefined : openSessionKey(hmac_key, id, keys.derive(PURPOSE));
  if (key !== undefined) return key;
  throw sessionNotFound();
}

/** The error for a token whose session has ended or cannot be continued. */
export function sessionNotFound() {
  return failure('session_not_found', {
    status: 400,
    message: 'Invalid Refresh Token: No Valid Session Found',
  });
}

/** Whether a session with stored tokens switches to signed tokens. The result is stable per session. */
export function shouldUpgrade(
  sessionId: string,
  { version, upgradePercentage }: AuthContext['config']['refreshTokens'],
): boolean {
  // The last digits of a random UUID are uniformly distributed.
  return version === 2 && Number.parseInt(sessionId.slice(-6), HEX) % PERCENT < upgradePercentage;
}

/** Response headers that identify a token without revealing it: its prefix or its counter, as in GoTrue. */
export function refreshTokenHeaders(text: string): Record<string, string> {
  const signed = parseSignedToken(text);
  if (signed === undefined) return { 'sb-auth-refresh-token-prefix': refreshTokenPrefix(text) };
  return { 'sb-auth-refresh-token-counter': String(signed.counter) };
}
