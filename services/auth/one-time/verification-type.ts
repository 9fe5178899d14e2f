/** The types of verifications, and the one-time tokens that each accepts. */
import type { TokenKind } from './token-kind.ts';

/** Type of a verification → accepted tokens. */
const TOKENS = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  recovery: ['recovery_token'],
  magiclink: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
  sms: ['confirmation_token'],
  phone_change: ['phone_change_token'],
} as const satisfies Record<string, readonly TokenKind[]>;

/** Parameter `type` of /verify. */
export type VerificationType = keyof typeof TOKENS;

export function isVerificationType(text: string): text is VerificationType {
  return Object.hasOwn(TOKENS, text);
}

/** The kinds of tokens that a verification accepts. */
export function tokensOf(type: VerificationType): readonly TokenKind[] {
  return TOKENS[type];
}

/** Whether the type verifies a code in an SMS. */
export function isPhoneType(type: VerificationType): boolean {
  return type === 'sms' || type === 'phone_change';
}
