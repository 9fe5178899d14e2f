/**
 * One-time secrets. A message has a code for the user to type and a link with a token. Both are independent random
 * values, and the database stores a hash of each.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Prefix of tokens whose link ends in a PKCE code (RFC 7636) instead of a session. */
export const PKCE_PREFIX = 'pkce_';

/** 224 bits: GoTrue's tokens have as many hex digits. */
const TOKEN_BYTES = 28;

/** Creates a code of this many decimal digits, uniformly distributed. */
export function randomCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('');
}

/**
 * The stored form of a code, as in GoTrue: SHA-224 in hex.
 * @param address email address or digits of a phone number, as stored
 */
export function hashCode(address: string, code: string): string {
  return createHash('sha224')
    .update(address + code)
    .digest('hex');
}

/** Creates a token for a link: 56 random hex digits, with {@link PKCE_PREFIX} if `isPkce`. */
export function randomLinkToken(isPkce: boolean): string {
  return (isPkce ? PKCE_PREFIX : '') + randomBytes(TOKEN_BYTES).toString('hex');
}

/**
 * The stored form of a link's token: the token's prefix and the SHA-256 in hex. The token is random, so it needs no
 * slow hash. The stored form has another length than a token, so it cannot be used as one.
 */
export function hashLinkToken(token: string): string {
  const prefix = token.startsWith(PKCE_PREFIX) ? PKCE_PREFIX : '';
  return prefix + createHash('sha256').update(token).digest('hex');
}
