/** A new email address: noted, and confirmed by a code from its mailbox and, by default, one from the current one. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext, AuthRequest } from '../endpoint.ts';
import { mailFlow } from '../flow-state/mail-flow.ts';
import type { Challenge } from '../flow-state/statements.ts';
import { planMail } from '../one-time/mail.ts';
import { requestEmailChange } from '../user/update.ts';
import type { UserRow } from '../user.ts';

/** Plans the change and its mails. After they are committed, call `context.outbox.wake()`. */
export async function planEmailChange(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  email: string,
  challenge: Challenge,
): Promise<Statement[]> {
  const now = context.now();
  const order = {
    user: { ...user, email_change: email },
    purpose: 'email_change',
    isPkce: challenge.code_challenge !== '',
  } as const;
  const toNew = await planMail(context, request, { ...order, to: email });
  const asksCurrent = context.config.secureEmailChange && user.email;
  const toCurrent = asksCurrent
    ? await planMail(context, request, { ...order, token: 'email_change_token_current' })
    : undefined;
  return [
    requestEmailChange(user.id, email, now),
    ...mailFlow('email_change', user.id, challenge, now),
    ...toNew.statements,
    ...(toCurrent?.statements ?? []),
  ];
}
