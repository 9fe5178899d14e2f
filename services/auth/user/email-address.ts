/** Email addresses: what is accepted, and the one form in which they are kept. */
import { failure } from '../errors.ts';

/** Of `users.email`. */
const MAX_LENGTH = 255;
/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_LENGTH = 64;

/**
 * The grammar of `<input type=email>` (HTML Living Standard, "valid email address"): a deliberate narrowing
 * of RFC 5322 to addresses that mail systems deliver to.
 *   email = 1*( atext / "." ) "@" label *( "." label )
 *   label = let-dig [ [ ldh-str ] let-dig ], at most 63 characters
 */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** An address in lower case. Throws `validation_failed`. */
export function parseEmail(text: string): string {
  if (text === '') throw refused('An email address is required');
  if (Buffer.byteLength(text) > MAX_LENGTH) throw refused('An email address is too long');
  if (!isEmail(text)) throw refused('Unable to validate email address: invalid format');
  return text.toLowerCase();
}

/** Whether a text is an address that is accepted. */
export function isEmail(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_LENGTH && EMAIL.test(text) && text.indexOf('@') <= MAX_LOCAL_LENGTH;
}

function refused(message: string) {
  return failure('validation_failed', { message });
}
