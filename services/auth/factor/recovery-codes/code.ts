/** Recovery codes: ten letters and digits with 50 random bits, in two groups. */
import { createHmac, randomBytes } from 'node:crypto';

/** Number of codes in a set. */
export const RECOVERY_CODES = 10;
/** Crockford's Base32, without letters that look like digits: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUP = 5;
const LENGTH = 2 * GROUP;

/** Creates a random code, e.g. `7k2qd-x0m4p`. */
export function randomRecoveryCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return `${letters.slice(0, GROUP)}-${letters.slice(GROUP)}`;
}

/**
 * The stored form of a code: HMAC-SHA256 in hex. The key is not in the database, so a copy of the database does not
 * reveal the codes. Accepts letter case, spaces and lookalikes as users type them. Undefined for text that is not a
 * code.
 */
export function hashRecoveryCode(code: string, userId: string, key: Buffer): string | undefined {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  if (plain.length !== LENGTH || [...plain].some((letter) => !ALPHABET.includes(letter))) return undefined;
  return createHmac('sha256', key).update(`${userId}:${plain}`).digest('hex');
}
