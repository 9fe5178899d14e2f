/**
 * POST /recover: mails a link to a user who has forgotten the password. The response does not reveal whether there is
 * an account.
 */
import { z } from 'zod';
import { auditEntry } from '../audit/entry.ts';
import { writeAudit } from '../audit/write.ts';
import type { AuthContext } from '../context.ts';
import type { AuthRequest, AuthResponse } from '../contracts/request.ts';
import { failure } from '../errors.ts';
import { mailFlow } from '../flow-state/mail-flow.ts';
import { checkPkceParameters } from '../flow-state/pkce-parameters.ts';
import { performSilently } from '../hooks/step.ts';
import { parseBody, textField } from '../http/request-body.ts';
import { requireAuthorizedAddress } from '../mail/authorized.ts';
import { countMessage } from '../one-time/count-message.ts';
import { planMail } from '../one-time/mail.ts';
import { wasSentRecently } from '../one-time/message-spacing.ts';
import { respondUniformly } from '../one-time/minimum-duration.ts';
import { audienceOf } from '../user/audience.ts';
import { parseEmail } from '../user/email-address.ts';
import { findUserByEmail } from '../user/find.ts';
import type { UserRow } from '../user/user.ts';

const fields = z.object({ email: textField, code_challenge: textField, code_challenge_method: textField });

/** Handles POST /recover. */
export async function recover(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const now = context.now();
  context.limits.check('recover', request, now);
  const { email, ...challenge } = parseBody(request.body, fields);
  if (email === '') {
    throw failure('validation_failed', { message: 'Password recovery requires an email' });
  }
  const address = parseEmail(email);
  requireAuthorizedAddress(address, context.config);
  checkPkceParameters(challenge.code_challenge, challenge.code_challenge_method);
  context.limits.requireSpacing('email', 'recovery', address, now);
  countMessage(context, request, { channel: 'email', recipient: address });
  return respondUniformly(async () => {
    const audience = audienceOf(request, context.config);
    const [user] = await context.database.query<UserRow>(findUserByEmail(address, audience));
    if (user === undefined || wasSentRecently(user.recovery_sent_at, 'email', context)) {
      return context.hooks.simulateLatency('sendEmail');
    }
    const isPkce = challenge.code_challenge !== '';
    const mail = await planMail(context, request, { user, purpose: 'recovery', isPkce });
    await performSilently(context, request, [
      ...mailFlow('recovery', user.id, challenge, now),
      ...writeAudit(context, request, [auditEntry(user, 'user_recovery_requested')]),
      ...mail.steps,
    ]);
  });
}
