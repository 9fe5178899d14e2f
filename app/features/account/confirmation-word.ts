/** What somebody types so that nothing is deleted by mistake: what they are called here. */
import type { Claims } from '../../session/claims.ts';
import { displayPhone } from '../../session/person-name.ts';

/** Address, else number, else a word for those who have neither. */
export function confirmationWord({ email, phone }: Pick<Claims, 'email' | 'phone'>, word: string): string {
  if (email) return email;
  return phone ? displayPhone(phone) : word;
}

/** Letters of either kind will do, and spaces do not count: it is about meaning it. */
export function isConfirmed(typed: string, word: string): boolean {
  const plain = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return plain(typed) === plain(word);
}
