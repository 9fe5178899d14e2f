/** Plans a change of the email address. Codes from the new mailbox and, by default, from the current one confirm it. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { mailFlow } from '../flow-state/mail-flow.ts';
import type { Challenge } from '../flow-state/statements.ts';
import { emailByHook } from '../hooks/send-email.ts';
import type { Step } from '../hooks/step.ts';
import { requestEmailChange } from '../user/update.ts';
import type { UserRow } from '../user/user.ts';
import { emailData, type MailRequest, type PlannedMessage, planCode, planMail } from './mail.ts';

/** Mailboxes that confirm a change to `email`, the new one first. */
export function mailboxesOfChange(
  { config }: Pick<AuthContext, 'config'>,
  user: Pick<UserRow, 'email'>,
  email: string,
): string[] {
  return config.secureEmailChange && user.email ? [email, user.email] : [email];
}

/** Plans the change and its mails for `perform`. The caller must count the mails before. */
export async function planEmailChange(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  email: string,
  challenge: Challenge,
): Promise<Step[]> {
  const now = context.now();
  const mailRequest = {
    user: { ...user, email_change: email },
    purpose: 'email_change',
    isPkce: challenge.code_challenge !== '',
  } as const;
  const mailRequests: MailRequest[] = [{ ...mailRequest, to: email }];
  if (mailboxesOfChange(context, user, email).length > 1)
    mailRequests.push({ ...mailRequest, token: 'email_change_token_current' });
  const mails = context.hooks.isSet('sendEmail')
    ? planByHook(context, request, user.id, mailRequests)
    : (await planMails(context, request, mailRequests)).flatMap(({ steps }) => steps);
  return [
    requestEmailChange(user.id, email, now),
    ...mailFlow('email_change', user.id, challenge, now),
    ...mails,
  ];
}

async function planMails(
  context: AuthContext,
  request: AuthRequest,
  mailRequests: readonly MailRequest[],
): Promise<PlannedMessage[]> {
  const planned: PlannedMessage[] = [];
  for (const mailRequest of mailRequests) planned.push(await planMail(context, request, mailRequest));
  return planned;
}

/**
 * Calls the hook once for both mails. The field names are GoTrue's and crossed: `token` and `token_hash_new` are for
 * the current mailbox, `token_new` and `token_hash` for the new one. If only the new mailbox confirms, `token` and
 * `token_hash` are for it.
 */
function planByHook(
  context: AuthContext,
  request: AuthRequest,
  userId: string,
  mailRequests: readonly MailRequest[],
): Step[] {
  const codes = mailRequests.map((mailRequest) => planCode(context, mailRequest));
  const [toNew, toCurrent] = codes;
  const tokens =
    toCurrent === undefined
      ? { token: toNew?.code ?? '', token_hash: toNew?.token ?? '' }
      : {
          token: toCurrent.code,
          token_hash: toNew?.token ?? '',
          token_new: toNew?.code ?? '',
          token_hash_new: toCurrent.token,
        };
  const data = emailData(context, request, 'email_change', tokens);
  return [...codes.flatMap(({ statements }) => statements), emailByHook(userId, data)];
}
