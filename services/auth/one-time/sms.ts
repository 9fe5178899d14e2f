/** SMS with a one-time code: plans the statement that stores the code's hash, and the message itself. */
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { smsByHook } from '../hooks/send-sms.ts';
import type { UserRow } from '../user/user.ts';
import { randomCode, randomLinkToken } from './code.ts';
import type { PlannedMessage } from './mail.ts';
import type { PhoneChannel } from './phone-channel.ts';
import { storeToken } from './statements.ts';
import type { TokenKind } from './token-kind.ts';

/** An SMS that is wanted. */
interface SmsOrder {
  user: Pick<UserRow, 'id'>;
  /** Digits. */
  to: string;
  kind: Extract<TokenKind, 'confirmation_token' | 'phone_change_token' | 'reauthentication_token'>;
  /** Undefined: by SMS. */
  channel?: PhoneChannel | undefined;
}

/**
 * Plans an SMS. Numbers with a fixed code for tests get none. The request that asks for it counts it before, with
 * `countRequested`. Throws `sms_send_failed`.
 */
export function planSms(context: AuthContext, { user, to, kind, channel = 'sms' }: SmsOrder): PlannedMessage {
  requireSmsSender(context, to);
  const { config, hooks, mailer, outbox, now } = context;
  const fixed = testCodeOf(to, context);
  const code = fixed ?? randomCode(config.codes.phone.digits);
  // An SMS has no link. The column of its token is not null, so it gets one that is never sent.
  const token = randomLinkToken(false);
  const stored = storeToken({ userId: user.id, kind, token, code, recipient: to }, now());
  if (fixed !== undefined) return { code, token, steps: [stored] };
  if (hooks.isSet('sendSms')) {
    return { code, token, steps: [stored, smsByHook(user.id, { otp: code, phone: to })] };
  }
  const text = mailer.smsText('code', code);
  return { code, token, steps: [stored, outbox.put({ channel, kind, recipient: to, text })] };
}

/** Throws `sms_send_failed` where an SMS to a number could not be sent, or may not go to its country. */
export function requireSmsSender(context: Pick<AuthContext, 'config' | 'hooks' | 'now'>, to: string): void {
  const { config, hooks } = context;
  if (testCodeOf(to, context) !== undefined) return;
  const hasSender = config.smsProvider !== undefined || config.keepsSms || hooks.isSet('sendSms');
  if (!hasSender) throw failure('sms_send_failed');
  if (isAllowedNumber(to, config.smsPrefixes)) return;
  throw failure('sms_send_failed', {
    message: 'Unable to send an SMS: the country of the number is not allowed',
  });
}

/** Whether SMS may go to a number: the longest prefix that it begins with decides. Without prefixes all are allowed. */
export function isAllowedNumber(digits: string, prefixes: ReadonlyMap<string, boolean>): boolean {
  if (prefixes.size === 0) return true;
  for (let length = digits.length; length > 0; length -= 1) {
    const decision = prefixes.get(digits.slice(0, length));
    if (decision !== undefined) return decision;
  }
  return false;
}

/** The code that a number always gets, if any. */
export function testCodeOf(
  phone: string,
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
): string | undefined {
  const { testCodes, testCodesUntil } = config;
  return testCodesUntil === undefined || now() < testCodesUntil ? testCodes.get(phone) : undefined;
}
