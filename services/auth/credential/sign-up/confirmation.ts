import { type AuditActor, auditEntry } from '../../audit/entry.ts';
import { writeAudit } from '../../audit/write.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { mailFlow } from '../../flow-state/mail-flow.ts';
import type { Step } from '../../hooks/step.ts';
import { type MailRequest, planMail } from '../../one-time/mail.ts';
import { planSms } from '../../one-time/sms.ts';
import type { Registration } from './registration.ts';

/**
 * Plans the message that confirms the address of a new account, with its token and audit entry. Pass the steps to
 * `perform`.
 */
export async function planConfirmation(
  context: AuthContext,
  request: AuthRequest,
  user: MailRequest['user'] & AuditActor,
  {
    provider,
    address,
    channel,
    challenge,
  }: Pick<Registration, 'provider' | 'address' | 'channel' | 'challenge'>,
): Promise<Step[]> {
  const audit = writeAudit(context, request, [auditEntry(user, 'user_confirmation_requested', { provider })]);
  if (provider === 'phone') {
    const sms = planSms(context, { user, to: address, kind: 'confirmation_token', channel });
    return [...audit, ...sms.steps];
  }
  const isPkce = challenge.code_challenge !== '';
  const mail = await planMail(context, request, { user, purpose: 'signup', isPkce });
  return [...audit, ...mailFlow('signup', user.id, challenge, context.now()), ...mail.steps];
}
