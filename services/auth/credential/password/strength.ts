/** The rules for the strength of passwords. */

import type { Weakness } from '../../contracts/passwords.ts';
import type { AuthConfig } from '../../settings/settings.ts';

/** bcrypt ignores all bytes after these. */
export const MAX_PASSWORD_BYTES = 72;

/** The configured rules, and whether the password is known to have been leaked. */
interface PasswordRules extends Pick<AuthConfig['password'], 'minLength' | 'requiredCharacters'> {
  isLeaked: boolean;
}

/** Returns the reasons why a password is weak, or undefined. Lengths are in bytes of UTF-8. */
export function weaknessOf(password: string, rules: PasswordRules): Weakness | undefined {
  const reasons: Weakness['reasons'] = [];
  const messages: string[] = [];
  if (Buffer.byteLength(password) < rules.minLength) {
    reasons.push('length');
    messages.push(`Password should be at least ${rules.minLength} characters.`);
  }
  if (rules.requiredCharacters.some((set) => !containsAnyOf(password, set))) {
    reasons.push('characters');
    const sets = rules.requiredCharacters.join(', ');
    messages.push(`Password should contain at least one character of each: ${sets}.`);
  }
  if (rules.isLeaked) {
    reasons.push('pwned');
    messages.push('Password is known to be weak and easy to guess, please choose a different one.');
  }
  return reasons.length === 0 ? undefined : { message: messages.join(' '), reasons };
}

/** Whether a password is longer than bcrypt's limit. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}

function containsAnyOf(text: string, characters: string): boolean {
  return [...characters].some((character) => text.includes(character));
}
