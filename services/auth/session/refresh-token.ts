/**
 * Stored refresh tokens: twelve characters of `[a-z0-9]`, as in GoTrue (62 bits).
 *
 * Only hashes are stored. `auth.refresh_tokens.token` and `.parent` hold SHA-256 in hex, so read access to the
 * database does not allow taking over a session. A salt or a slow hash is not needed: tokens are random,
 * searching 62 bits takes a graphics card years, and a token in use is replaced within hours.
 *
 * Successors are derived, not random. A client that lost the response to a refresh sends the old token again
 * and must get the same successor, which is not stored. Therefore
 *   child = base36(HMAC-SHA-256(key of the session, text of the parent ":" id of the child's row) mod 36^12)
 * so a client that presents the parent enables the server to compute its child again. Each input is needed. The
 * parent's text is not in the database, so read access does not help. The key is known to no client, so an old
 * stolen token does not lead to the current one. The row id distinguishes siblings. The key is random per
 * session and stored with the session (`auth.sessions.refresh_token_hmac_key`, the column of GoTrue's
 * per-session key), so nodes need not share a server secret, and rotating server secrets does not break
 * sessions.
 */
import { createHmac, createSecretKey, hash, randomBytes, randomInt } from 'node:crypto';

const LENGTH = 12;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const WELL_FORMED = /^[a-z0-9]{12}$/;
const KEY_BYTES = 32;
/** Number of characters of a token that headers and logs may show, as in GoTrue. */
const PREFIX_LENGTH = 5;

/** Creates the first token of a session. */
export function randomRefreshToken(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Creates the key of a new session, in base64url. */
export function randomSessionKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/**
 * Derives the successor of `parent`. @param rowId `id` of the successor's row @param sessionKey key of its
 * session, base64url
 */
export function deriveRefreshToken(parent: string, rowId: string, sessionKey: string): string {
  // A `KeyObject`: with a key in bytes, preparing it takes Node.js longer than the whole digest.
  const key = createSecretKey(sessionKey, 'base64url');
  const digest = createHmac('sha256', key).update(`${parent}:${rowId}`).digest('hex');
  const number = BigInt(`0x${digest}`) % BigInt(ALPHABET.length) ** BigInt(LENGTH);
  return number.toString(ALPHABET.length).padStart(LENGTH, '0');
}

/** Returns the hash under which a token is stored. */
export function hashRefreshToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Whether a text has the format of a stored refresh token. */
export function isRefreshToken(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** Returns the prefix of a token for response headers. */
export function refreshTokenPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}
