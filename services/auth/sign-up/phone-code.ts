/** POST /otp with a phone number: sends a code by SMS; whoever has no account gets one. */
import { audienceOf } from '../audience.ts';
import { writeAudit } from '../audit/write.ts';
import { auditEntry } from '../audit.ts';
import { brokenUniqueConstraint } from '../database-error.ts';
import type { AuthContext, AuthRequest, AuthResponse } from '../endpoint.ts';
import { type Metadata, requireFitsToken } from '../metadata.ts';
import { answerAlike } from '../one-time/alike.ts';
import { wasSentLately } from '../one-time/sent-lately.ts';
import { planSms } from '../one-time/sms.ts';
import { findUserByPhone } from '../user/find.ts';
import type { UserRow } from '../user.ts';
import { newAccount } from './new-account.ts';
import type { PhoneChannel } from './registration.ts';

/** A code that is wanted. */
export interface PhoneCodeOrder {
  phone: string;
  channel: PhoneChannel;
  /** For a new account. */
  data: Metadata;
}

/** Sends a code. The answer is the same whether or not there is an account. */
export async function sendPhoneCode(
  context: AuthContext,
  request: AuthRequest,
  order: PhoneCodeOrder,
): Promise<AuthResponse> {
  const { phone } = order;
  requireFitsToken(order.data);
  context.limits.space('phone', 'confirmation', phone, context.now());
  return answerAlike(async () => {
    const audience = audienceOf(request, context.config);
    const [user] = await context.database.query<UserRow>(findUserByPhone(phone, audience));
    if (user !== undefined) return sendToOwner(context, request, user, order);
    if (context.config.disableSignup) return;
    await welcome(context, request, order, audience);
  });
}

async function sendToOwner(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  { phone, channel }: PhoneCodeOrder,
): Promise<void> {
  if (wasSentLately(user.confirmation_sent_at, 'phone', context)) return;
  await context.database.batch([
    ...writeAudit(context, request, [auditEntry(user, 'user_recovery_requested', { channel })]),
    ...planSms(context, { user, to: phone, kind: 'confirmation_token', channel }).statements,
  ]);
  context.outbox.wake();
}

async function welcome(
  context: AuthContext,
  request: AuthRequest,
  { phone, channel, data }: PhoneCodeOrder,
  audience: string,
): Promise<void> {
  const challenge = { code_challenge: '', code_challenge_method: '' };
  const account = newAccount({ provider: 'phone', address: phone, data, audience, challenge }, null, context);
  const action = auditEntry(account.user, 'user_confirmation_requested', { provider: 'phone' });
  try {
    await context.database.batch([
      ...account.statements,
      ...writeAudit(context, request, [action]),
      ...planSms(context, { user: account.user, to: phone, kind: 'confirmation_token', channel }).statements,
    ]);
    context.outbox.wake();
  } catch (error) {
    // Somebody was faster with the same number, and was sent a code for it.
    if (brokenUniqueConstraint(error) !== 'users_phone_key') throw error;
  }
}
