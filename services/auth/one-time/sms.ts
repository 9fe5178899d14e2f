/** SMS with a one-time code: plans the statement that stores the code's hash, and the message itself. */
import type { AuthContext } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { smsByHook } from '../hooks/send-sms.ts';
import type { PhoneChannel } from '../sign-up/registration.ts';
import type { UserRow } from '../user.ts';
import { randomCode, randomLinkToken } from './code.ts';
import type { PlannedMessage } from './mail.ts';
import { storeToken } from './statements.ts';
import type { TokenKind } from './token-kind.ts';

/** An SMS that is wanted. */
export interface SmsOrder {
  user: Pick<UserRow, 'id'>;
  /** Digits. */
  to: string;
  kind: Extract<TokenKind, 'confirmation_token' | 'phone_change_token' | 'reauthentication_token'>;
  /** Undefined: by SMS. */
  channel?: PhoneChannel | undefined;
}

/**
 * Plans an SMS. Numbers with a fixed code for tests get none. Throws `over_sms_send_rate_limit` and `sms_send_failed`.
 */
export function planSms(context: AuthContext, { user, to, kind, channel = 'sms' }: SmsOrder): PlannedMessage {
  requireSmsSender(context, to);
  const { config, hooks, limits, mailer, outbox, now } = context;
  const fixed = testCodeOf(to, context);
  if (fixed === undefined) limits.countMessage('phone', now());
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

/** Throws `sms_send_failed` where nobody would ever see an SMS to a number. */
export function requireSmsSender(context: Pick<AuthContext, 'config' | 'hooks' | 'now'>, to: string): void {
  const { config, hooks } = context;
  const hasSender = config.smsProvider !== undefined || config.keepsSms || hooks.isSet('sendSms');
  if (!hasSender && testCodeOf(to, context) === undefined) throw failure('sms_send_failed');
}

/** The code that a number always gets, if any. */
export function testCodeOf(
  phone: string,
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
): string | undefined {
  const { testCodes, testCodesUntil } = config;
  return testCodesUntil === undefined || now() < testCodesUntil ? testCodes.get(phone) : undefined;
}
