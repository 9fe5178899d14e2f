/** What a person is called on the screen. */
import type { Claims } from './claims.ts';

/** Email address, else phone number with its plus sign, else the id. */
export function personName({ email, phone, sub }: Pick<Claims, 'email' | 'phone' | 'sub'>): string {
  if (email) return email;
  return phone ? displayPhone(phone) : sub;
}

/** The backend keeps numbers without the plus sign. */
export function displayPhone(phone: string): string {
  return phone.startsWith('+') ? phone : `+${phone}`;
}
