/** What a person is called on the screen. */
import type { Claims } from './claims.ts';

/** Unicode characters of a name that somebody gives themselves. */
export const MAX_NAME_CHARACTERS = 100;

/** Controls, and what turns the direction of the text around it: they would spoil the line that a name stands in. */
const UNWANTED = /[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu;

/** The name that they gave, else what they sign in with. */
export function personName(person: Pick<Claims, 'email' | 'phone' | 'sub' | 'user_metadata'>): string {
  return givenName(person.user_metadata) || personAddress(person);
}

/** Email address, else phone number with its plus sign, else the id. */
export function personAddress({ email, phone, sub }: Pick<Claims, 'email' | 'phone' | 'sub'>): string {
  if (email) return email;
  return phone ? displayPhone(phone) : sub;
}

/** `full_name` of what users say about themselves, fit to be shown; empty where there is none. */
export function givenName({ full_name: name }: Record<string, unknown>): string {
  return typeof name === 'string' ? [...cleanName(name)].slice(0, MAX_NAME_CHARACTERS).join('').trim() : '';
}

/** A name in one line. */
export function cleanName(name: string): string {
  return name.replace(UNWANTED, ' ').replace(/\s+/g, ' ').trim();
}

/** The backend keeps numbers without the plus sign. */
export function displayPhone(phone: string): string {
  return phone.startsWith('+') ? phone : `+${phone}`;
}
