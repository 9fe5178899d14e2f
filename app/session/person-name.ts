/** The name of a user on the screen. */
import type { Claims } from './claims.ts';

/** Maximum length of a display name in Unicode characters. */
export const MAX_NAME_CHARACTERS = 100;

/**
 * Control characters, including those that change the text direction: they would break the line around a
 * name.
 */
const CONTROL_CHARACTERS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu;

/** Returns the user's display name, otherwise their email address, phone number or id. */
export function personName(person: Pick<Claims, 'email' | 'phone' | 'sub' | 'user_metadata'>): string {
  return chosenName(person.user_metadata) || personAddress(person);
}

/** Returns the email address, otherwise the phone number with its plus sign, otherwise the id. */
export function personAddress({ email, phone, sub }: Pick<Claims, 'email' | 'phone' | 'sub'>): string {
  if (email) return email;
  return phone ? displayPhone(phone) : sub;
}

/** Returns `full_name` of the user's metadata, cleaned and shortened; empty if absent. */
export function chosenName({ full_name: name }: Record<string, unknown>): string {
  return typeof name === 'string' ? [...cleanName(name)].slice(0, MAX_NAME_CHARACTERS).join('').trim() : '';
}

/** Reduces a name to one line. */
export function cleanName(name: string): string {
  return name.replace(CONTROL_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
}

/** Adds the plus sign, because the backend stores numbers without it. */
export function displayPhone(phone: string): string {
  return phone.startsWith('+') ? phone : `+${phone}`;
}
