/**
 * One-time codes. The code that people type and the token in their link are one secret: the token is a hash of
 * address and code, and so is what is stored.
 */
import { createHash, randomInt } from 'node:crypto';

/** Of tokens whose link is to end in a code for PKCE (RFC 7636) instead of a session. */
export const PKCE_PREFIX = 'pkce_';

/** A code of so many decimal digits, each code as likely as any other. */
export function randomCode(digits: number): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('');
}

/**
 * The token that belongs to a code, as GoTrue derives it: SHA-224 in hex.
 * @param address email address or digits of a phone number, as stored
 */
export function hashCode(address: string, code: string): string {
  return createHash('sha224')
    .update(address + code)
    .digest('hex');
}

/** Both forms that a token may be stored in. */
export function bothForms(token: string): string[] {
  return [token, PKCE_PREFIX + token];
}
