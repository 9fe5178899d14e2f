/** The word that a user must type to confirm the deletion of their account: their own identifier. */
import type { Claims } from '../../session/claims.ts';
import { displayPhone } from '../../session/person-name.ts';

/** Returns the email address, otherwise the phone number, otherwise `word`. */
export function confirmationWord({ email, phone }: Pick<Claims, 'email' | 'phone'>, word: string): string {
  if (email) return email;
  return phone ? displayPhone(phone) : word;
}

/** Ignores case and spaces: the input only has to show intent. */
export function isConfirmed(typed: string, word: string): boolean {
  const plain = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return plain(typed) === plain(word);
}
