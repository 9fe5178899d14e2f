/** Plans a change of the email address. Codes from the new mailbox and, by default, from the current one confirm it. */
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { mailFlow } from '../flow-state/mail-flow.ts';
import type { Challenge } from '../flow-state/statements.ts';
import { emailByHook } from '../hooks/send-email.ts';
import type { Step } from '../hooks/step.ts';
import { requestEmailChange } from '../user/update.ts';
import type { UserRow } from '../user/user.ts';
import { emailData, type MailOrder, type PlannedMessage, planCode, planMail } from './mail.ts';

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
  const order = {
    user: { ...user, email_change: email },
    purpose: 'email_change',
    isPkce: challenge.code_challenge !== '',
  } as const;
  const orders: MailOrder[] = [{ ...order, to: email }];
  if (mailboxesOfChange(context, user, email).length > 1)
    orders.push({ ...order, token: 'email_change_token_current' });
  const mails = context.hooks.isSet('sendEmail')
    ? leaveToHook(context, request, user.id, orders)
    : (await planMails(context, request, orders)).flatMap(({ steps }) => steps);
  return [
    requestEmailChange(user.id, email, now),
    ...mailFlow('email_change', user.id, challenge, now),
    ...mails,
  ];
}

async function planMails(
  context: AuthContext,
  request: AuthRequest,
  orders: readonly MailOrder[],
): Promise<PlannedMessage[]> {
  const planned: PlannedMessage[] = [];
  for (const order of orders) planned.push(await planMail(context, request, order));
  return planned;
}

/**
 * Calls the hook once for both mails. The field names are GoTrue's and crossed: `token` and `token_hash_new` are for
 * the current mailbox, `token_new` and `token_hash` for the new one. If only the new mailbox confirms, `token` and
 * `token_hash` are for it.
 */
function leaveToHook(
  context: AuthContext,
  request: AuthRequest,
  userId: string,
  orders: readonly MailOrder[],
): Step[] {
  const codes = orders.map((order) => planCode(context, order));
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
