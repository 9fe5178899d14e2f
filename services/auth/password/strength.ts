/** What a password must be like. */
import type { AuthConfig } from '@greenroom/config';
import { failure } from '../errors.ts';

/** bcrypt reads no further: a longer password would be cut silently. */
export const MAX_PASSWORD_BYTES = 72;

/** The rules that a password is measured by. */
export type PasswordRules = Pick<AuthConfig['password'], 'minLength' | 'requiredCharacters'>;

/** Why a password is too weak: `reasons` for programs, `message` for people. */
export interface Weakness {
  message: string;
  reasons: ('length' | 'characters')[];
}

/** Says what is weak about a password, or undefined. Lengths count bytes of UTF-8. */
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
  return reasons.length === 0 ? undefined : { message: messages.join(' '), reasons };
}

/**
 * Refuses a new password: `validation_failed` where it is too long, else `weak_password` with the reasons.
 */
export function requireStrongPassword(password: string, rules: PasswordRules): void {
  if (isTooLong(password)) {
    const message = `Password cannot be longer than ${MAX_PASSWORD_BYTES} characters`;
    throw failure('validation_failed', { message });
  }
  const weakness = weaknessOf(password, rules);
  if (weakness === undefined) return;
  const { message, reasons } = weakness;
  throw failure('weak_password', { message, extra: { weak_password: { reasons } } });
}

/** Whether bcrypt would not read all of a password. */
export function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > MAX_PASSWORD_BYTES;
}

function containsAnyOf(text: string, characters: string): boolean {
  return [...characters].some((character) => text.includes(character));
}
