/** Phone numbers: kept as the digits of E.164, without the plus sign. */
import { failure } from '../errors.ts';

/** E.164 (ITU-T): at most fifteen digits, the first not zero. */
const E164_DIGITS = /^[1-9][0-9]{1,14}$/;

/** Drops a leading plus sign and blanks; checks nothing. */
export function normalisePhone(text: string): string {
  return text.replace(/^\+/, '').replaceAll(' ', '');
}

/** The digits of a number. Throws `validation_failed`. */
export function parsePhone(text: string): string {
  const phone = normalisePhone(text);
  if (E164_DIGITS.test(phone)) return phone;
  throw failure('validation_failed', { message: 'Invalid phone number format (E.164 required)' });
}
