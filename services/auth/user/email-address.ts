/** Validates and normalises email addresses. */
import { failure } from '../errors.ts';

/** Length of column `users.email`. */
const MAX_LENGTH = 255;
/** Maximum length of the part before the @ (RFC 5321 §4.5.3.1.1). */
const MAX_LOCAL_LENGTH = 64;

/**
 * The grammar of `<input type=email>` (HTML Living Standard, "valid email address"), which deliberately narrows
 * RFC 5322 to addresses that mail systems deliver to.
 *   email = 1*( atext / "." ) "@" label *( "." label )
 *   label = let-dig [ [ ldh-str ] let-dig ], at most 63 characters
 */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Returns the address in lower case, the stored form. Throws `validation_failed`. */
export function parseEmail(text: string): string {
  if (text === '') throw invalidEmail('An email address is required');
  if (Buffer.byteLength(text) > MAX_LENGTH) throw invalidEmail('An email address is too long');
  if (!isEmail(text)) throw invalidEmail('Unable to validate email address: invalid format');
  return text.toLowerCase();
}

/** Whether a text is an accepted email address. */
export function isEmail(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_LENGTH && EMAIL.test(text) && text.indexOf('@') <= MAX_LOCAL_LENGTH;
}

function invalidEmail(message: string) {
  return failure('validation_failed', { message });
}
