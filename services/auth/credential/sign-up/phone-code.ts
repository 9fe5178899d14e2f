/** POST /otp with a phone number: sends a code by SMS and creates an account if there is none. */

import { auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { afterUserCreated } from '../../hooks/after-user-created.ts';
import { beforeUserCreated } from '../../hooks/before-user-created.ts';
import { isHookFailure } from '../../hooks/hook-failure.ts';
import { perform, performSilently } from '../../hooks/step.ts';
import { violatedUniqueConstraint } from '../../lib/database-error.ts';
import { countMessage } from '../../one-time/count-message.ts';
import { wasSentRecently } from '../../one-time/message-spacing.ts';
import { respondUniformly } from '../../one-time/minimum-duration.ts';
import type { PhoneChannel } from '../../one-time/phone-channel.ts';
import { planSms, requireSmsSender } from '../../one-time/sms.ts';
import { audienceOf } from '../../user/audience.ts';
import { findUserById, findUserByPhone } from '../../user/find.ts';
import { type Metadata, requireMetadataSize } from '../../user/metadata.ts';
import { deleteUnconfirmedPassword } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import { newAccount } from './new-account.ts';

/** A validated request for a code. */
interface PhoneCodeRequest {
  phone: string;
  channel: PhoneChannel;
  /** Metadata of a new account. */
  data: Metadata;
}

/** Sends a code. The response does not reveal whether there is an account. */
export async function sendPhoneCode(
  context: AuthContext,
  request: AuthRequest,
  codeRequest: PhoneCodeRequest,
): Promise<AuthResponse> {
  const { phone } = codeRequest;
  requireMetadataSize(codeRequest.data);
  // Before the lookup, because the response must not reveal whether there is an account.
  requireSmsSender(context, phone);
  context.limits.requireSpacing('phone', 'confirmation', phone, context.now());
  countMessage(context, request, { channel: 'phone', recipient: phone });
  const work = async () => {
    const audience = audienceOf(request, context.config);
    const [user] = await context.database.query<UserRow>(findUserByPhone(phone, audience));
    if (user !== undefined) return sendToOwner(context, request, user, codeRequest);
    if (context.config.disableSignup) return context.hooks.simulateLatency('sendSms');
    await sendToNewAccount(context, request, codeRequest, audience);
  };
  return context.limits.guard(request, context.now(), () => respondUniformly(work), isHookFailure);
}

async function sendToOwner(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  { phone, channel }: PhoneCodeRequest,
): Promise<void> {
  if (wasSentRecently(user.confirmation_sent_at, 'phone', context))
    return context.hooks.simulateLatency('sendSms');
  // If sign-ups are disabled, a number without an account gets no SMS and no error. A failed SMS to an account must not
  // cause an error either.
  const finish = context.config.disableSignup ? performSilently : perform;
  await finish(context, request, [
    ...(user.confirmed_at === null ? [deleteUnconfirmedPassword(user.id, context.now())] : []),
    ...writeAudit(context, request, [auditEntry(user, 'user_recovery_requested', { channel })]),
    ...planSms(context, { user, to: phone, kind: 'confirmation_token', channel }).steps,
  ]);
}

async function sendToNewAccount(
  context: AuthContext,
  request: AuthRequest,
  { phone, channel, data }: PhoneCodeRequest,
  audience: string,
): Promise<void> {
  const challenge = { code_challenge: '', code_challenge_method: '' };
  const account = newAccount({ provider: 'phone', address: phone, data, audience, challenge }, null, context);
  await beforeUserCreated(context, request, account.user);
  const action = auditEntry(account.user, 'user_confirmation_requested', { provider: 'phone' });
  try {
    const results = await perform(context, request, [
      ...account.statements,
      ...writeAudit(context, request, [action]),
      ...planSms(context, { user: account.user, to: phone, kind: 'confirmation_token', channel }).steps,
      findUserById(account.user.id),
    ]);
    await afterUserCreated(context, request, results.at(-1)?.[0] as UserRow | undefined);
  } catch (error) {
    // A concurrent request created the account and has sent the code.
    if (violatedUniqueConstraint(error) !== 'users_phone_key') throw error;
  }
}
