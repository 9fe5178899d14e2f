/** Plans SMS with a one-time code: the statement that stores the code's hash, and the message. */
import type { AuthContext } from '../context.ts';
import { failure } from '../errors.ts';
import { smsByHook } from '../hooks/send-sms.ts';
import type { UserRow } from '../user/user.ts';
import { randomCode, randomLinkToken } from './code.ts';
import type { PlannedMessage } from './mail.ts';
import type { PhoneChannel } from './phone-channel.ts';
import { hasProviderCode } from './provider-code.ts';
import { storeToken } from './statements.ts';
import { testCodeOf } from './test-code.ts';
import type { TokenKind } from './token-kind.ts';

/** Options of an SMS. */
interface SmsRequest {
  user: Pick<UserRow, 'id'>;
  /** Phone number, digits only. */
  to: string;
  kind: Extract<TokenKind, 'confirmation_token' | 'phone_change_token' | 'reauthentication_token'>;
  /** Default: SMS. */
  channel?: PhoneChannel | undefined;
}

/**
 * Plans an SMS. Test numbers with a fixed code get none. The caller must count it before, with `countMessage`. Throws
 * `sms_send_failed`.
 */
export function planSms(
  context: AuthContext,
  { user, to, kind, channel = 'sms' }: SmsRequest,
): PlannedMessage {
  requireSmsSender(context, to);
  const { config, hooks, mailer, outbox, now } = context;
  const fixed = testCodeOf(to, context);
  const code = fixed ?? randomCode(config.codes.phone.digits);
  // An SMS has no link, but the token's column is not null, so it gets a random token that is never sent.
  const token = randomLinkToken(false);
  const stored = storeToken({ userId: user.id, kind, token, code, recipient: to }, now());
  if (fixed !== undefined) return { code, token, steps: [stored] };
  if (hooks.isSet('sendSms')) {
    return { code, token, steps: [stored, smsByHook(user.id, { otp: code, phone: to })] };
  }
  const content = hasProviderCode(to, context) ? { text: '' } : { text: mailer.smsText('code', code), code };
  return { code, token, steps: [stored, outbox.put({ channel, kind, recipient: to, ...content })] };
}

/** Throws `sms_send_failed` if there is no provider of SMS, or if the number's country is not allowed. */
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

/**
 * Whether SMS may be sent to a number. The longest matching prefix decides. Without prefixes, all numbers are allowed.
 */
export function isAllowedNumber(digits: string, prefixes: ReadonlyMap<string, boolean>): boolean {
  if (prefixes.size === 0) return true;
  for (let length = digits.length; length > 0; length -= 1) {
    const decision = prefixes.get(digits.slice(0, length));
    if (decision !== undefined) return decision;
  }
  return false;
}
