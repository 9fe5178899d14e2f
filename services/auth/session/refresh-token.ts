/**
 * Refresh tokens: twelve characters of `[a-z0-9]`, as GoTrue's (62 bits). Two decisions live here.
 *
 * Only hashes are stored. `auth.refresh_tokens.token` and `.parent` hold SHA-256 in hex, so that who reads
 * the database cannot go on with somebody's session. No salt and no slow hash: a token is random, and
 * searching its 62 bits takes a graphics card years, while a token in use is replaced within hours.
 *
 * Children are derived, not random. A client that lost the answer to a refresh asks again with the old token
 * and must get the token that it missed, which we no longer have. So
 *   child = base36(HMAC-SHA-256(key of the session, text of the parent ":" id of the child's row) mod 36^12)
 * and whoever brings the parent makes us able to say its child again. Each part is needed: the text of the
 * parent is in no database, so reading ours does not help; the key is in no client, so an old stolen token
 * does not lead to today's; the id of the row tells siblings apart. The key is random per session and kept
 * with it (`auth.sessions.refresh_token_hmac_key`, the column GoTrue keeps its per-session key in), so no
 * server secret needs to be shared by nodes, and none can be rotated away from under the sessions.
 */
import { createHmac, createSecretKey, hash, randomBytes, randomInt } from 'node:crypto';

const LENGTH = 12;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const WELL_FORMED = /^[a-z0-9]{12}$/;
const KEY_BYTES = 32;
/** Characters of a token that may be told in headers and logs, as GoTrue does. */
const PREFIX_LENGTH = 5;

/** The first token of a session. */
export function randomRefreshToken(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** A new session's key. */
export function randomSessionKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** The token that follows `parent`. @param rowId `id` of the child's row @param sessionKey of its session */
export function deriveRefreshToken(parent: string, rowId: string, sessionKey: string): string {
  // A key as an object: looking for one in bytes takes Node.js longer than the whole digest.
  const key = createSecretKey(sessionKey, 'base64url');
  const digest = createHmac('sha256', key).update(`${parent}:${rowId}`).digest('hex');
  const number = BigInt(`0x${digest}`) % BigInt(ALPHABET.length) ** BigInt(LENGTH);
  return number.toString(ALPHABET.length).padStart(LENGTH, '0');
}

/** What is stored of a token. */
export function hashRefreshToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Whether a text has the form of a token of ours. */
export function isRefreshToken(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** The part of a token that response headers name. */
export function refreshTokenPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH);
}
