/** Phone numbers, stored as E.164 digits without the plus sign. */
import { failure } from '../errors.ts';

/** E.164 (ITU-T): at most fifteen digits, the first not zero. */
const E164_DIGITS = /^[1-9][0-9]{1,14}$/;

/** Removes a leading plus sign and spaces, without validation. */
export function normalisePhone(text: string): string {
  return text.replace(/^\+/, '').replaceAll(' ', '');
}

/** Returns the digits of a number. Throws `validation_failed`. */
export function parsePhone(text: string): string {
  const phone = normalisePhone(text);
  if (E164_DIGITS.test(phone)) return phone;
  throw failure('validation_failed', { message: 'Invalid phone number format (E.164 required)' });
}
