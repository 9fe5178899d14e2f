/** GET /reauthenticate: sends the caller a code that proves their identity again, e.g. before a new password. */

import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { perform } from '../hooks/step.ts';
import { countMessage } from '../one-time/count-message.ts';
import { type PlannedMessage, planMail } from '../one-time/mail.ts';
import { requireNotSentRecently } from '../one-time/message-spacing.ts';
import { planSms } from '../one-time/sms.ts';
import { requireCaller } from '../session/caller.ts';
import type { UserRow } from '../user/user.ts';

/** Sends a code to the caller's confirmed email address, or to the phone number if there is no address. */
export async function reauthenticate(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const { user } = await requireCaller(context, request);
  context.limits.check('reauthenticate', request, context.now(), user.id);
  const planned = await planReauthentication(context, request, user);
  await perform(context, request, [
    ...writeAudit(context, request, [auditEntry(user, 'user_reauthenticate_requested')]),
    ...planned.steps,
  ]);
  return { status: 200, body: {} };
}

async function planReauthentication(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
): Promise<PlannedMessage> {
  if (user.email) {
    if (user.email_confirmed_at === null) throw failure('email_not_confirmed', { status: 422 });
    requireNotSentRecently(user.reauthentication_sent_at, 'email', context);
    countMessage(context, request, { channel: 'email', recipient: user.email, account: user.id });
    return planMail(context, request, { user, purpose: 'reauthentication' });
  }
  if (user.phone) {
    if (user.phone_confirmed_at === null) throw failure('phone_not_confirmed', { status: 422 });
    requireNotSentRecently(user.reauthentication_sent_at, 'phone', context);
    countMessage(context, request, { channel: 'phone', recipient: user.phone, account: user.id });
    return planSms(context, { user, to: user.phone, kind: 'reauthentication_token' });
  }
  const message = 'Reauthentication requires the user to have an email or a phone number';
  throw failure('validation_failed', { message });
}
