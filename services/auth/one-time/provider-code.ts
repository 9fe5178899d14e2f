/**
 * Codes that the provider of SMS creates, sends and checks (Twilio Verify). As in GoTrue, the hook SEND_SMS and numbers with a
 * fixed code keep the service's own codes.
 */
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { testCodeOf } from './test-code.ts';

type CodeContext = Pick<AuthContext, 'config' | 'checkCode' | 'hooks' | 'now'>;

/** Codes of Twilio Verify have 4 to 10 characters. */
const CODE = /^[A-Za-z0-9]{4,10}$/;

/** Whether the provider creates the codes for a number. @param phone digits of a phone number */
export function hasProviderCode(phone: string, context: CodeContext): boolean {
  const { checkCode, hooks } = context;
  return checkCode !== undefined && !hooks.isSet('sendSms') && testCodeOf(phone, context) === undefined;
}

/**
 * Whether the provider approves a code; undefined if the code is the service's own. A right code can be used once, so call it
 * once per request, and outside of transactions.
 */
export async function providerApproval(
  phone: string,
  code: string,
  context: CodeContext,
): Promise<boolean | undefined> {
  if (!hasProviderCode(phone, context)) return undefined;
  return CODE.test(code) && context.checkCode?.(phone, code);
}

/** The error of a code that the provider does not approve, as in GoTrue. */
export function notApproved() {
  return failure('otp_expired', { message: 'Token has expired or is invalid' });
}
