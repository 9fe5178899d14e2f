/**
 * One-time secrets. A message carries a code that people type and a link with a token. The two are independent random
 * values, and the database stores a hash of each.
 */
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Prefix of tokens whose link ends in a code for PKCE (RFC 7636) instead of a session. */
export const PKCE_PREFIX = 'pkce_';

/** 224 bits: as many hex digits as the tokens of GoTrue have. */
const TOKEN_BYTES = 28;

/** A code of so many decimal digits, each code as likely as any other. */
export function randomCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('');
}

/**
 * The stored form of a code, as GoTrue derives it: SHA-224 in hex.
 * @param address email address or digits of a phone number, as stored
 */
export function hashCode(address: string, code: string): string {
  return createHash('sha224')
    .update(address + code)
    .digest('hex');
}

/** A token for a link: 56 random hex digits, with {@link PKCE_PREFIX} where `isPkce`. */
export function randomLinkToken(isPkce: boolean): string {
  return (isPkce ? PKCE_PREFIX : '') + randomBytes(TOKEN_BYTES).toString('hex');
}

/**
 * The stored form of a link's token: SHA-256 in hex, behind the token's prefix. The token is random, so it needs no
 * slow hash. The stored form differs from the token in length, so it cannot be used as one.
 */
export function hashLinkToken(token: string): string {
  const prefix = token.startsWith(PKCE_PREFIX) ? PKCE_PREFIX : '';
  return prefix + createHash('sha256').update(token).digest('hex');
}
