/** Plans mails with a one-time code and a link: the statement that stores the hashes, and the message. */

import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { AuthRequest } from '../contracts/request.ts';
import { emailByHook, type PlannedEmail } from '../hooks/send-email.ts';
import type { Step } from '../hooks/step.ts';
import { requireAuthorizedAddress } from '../mail/authorized.ts';
import { externalUrlOf } from '../mail/links.ts';
import type { MailPurpose } from '../mail/purpose.ts';
import type { FlowMail } from '../mail/texts.ts';
import { redirectTarget } from '../redirect/target.ts';
import type { UserRow } from '../user/user.ts';
import { randomCode, randomLinkToken } from './code.ts';
import { storeToken } from './statements.ts';
import type { TokenKind } from './token-kind.ts';

/** Purpose (query parameter `type` of /verify) → mail and token. */
const MAILS = {
  signup: { mail: 'confirmation', token: 'confirmation_token' },
  invite: { mail: 'invite', token: 'confirmation_token' },
  recovery: { mail: 'recovery', token: 'recovery_token' },
  magiclink: { mail: 'magic_link', token: 'recovery_token' },
  email_change: { mail: 'email_change', token: 'email_change_token_new' },
  reauthentication: { mail: 'reauthentication', token: 'reauthentication_token' },
} as const satisfies Record<MailPurpose, { mail: FlowMail; token: TokenKind }>;

/** Options of a mail. */
export interface MailRequest {
  user: Pick<UserRow, 'id' | 'email' | 'email_change' | 'raw_user_meta_data'>;
  purpose: MailPurpose;
  /** Recipient; default: the user's address. */
  to?: string;
  /** Whether the link ends in a PKCE code. */
  isPkce?: boolean;
  /** Kind of token; default: that of `purpose`. */
  token?: TokenKind;
}

/** The secrets of a message. `token` is the token of its link. */
export interface PlannedCode {
  code: string;
  token: string;
  statements: Statement[];
}

/** A code and the steps that store and send it, for `perform`. */
export interface PlannedMessage {
  code: string;
  token: string;
  steps: Step[];
}

/**
 * Plans a mail. The caller must count it before, with `countMessage`. Throws `email_address_not_authorized`. An
 * endpoint whose response must not reveal accounts has to check the address before.
 */
export async function planMail(
  context: AuthContext,
  request: AuthRequest,
  mailRequest: MailRequest,
): Promise<PlannedMessage> {
  requireAuthorizedAddress(mailRequest.to ?? mailRequest.user.email ?? '', context.config);
  const planned = planCode(context, mailRequest);
  const { code, token, statements } = planned;
  if (context.hooks.isSet('sendEmail')) {
    const data = emailData(context, request, mailRequest.purpose, { token: code, token_hash: token });
    return { code, token, steps: [...statements, emailByHook(mailRequest.user.id, data)] };
  }
  const message = await context.mailer.compose(MAILS[mailRequest.purpose].mail, {
    to: planned.to,
    email: mailRequest.user.email ?? '',
    token: planned.code,
    tokenHash: planned.token,
    verificationType: mailRequest.purpose,
    redirectTo: redirectTarget(context, request),
    externalUrl: externalUrlOf(context.config, request),
    userMetadata: mailRequest.user.raw_user_meta_data ?? {},
    ...(mailRequest.user.email_change ? { newEmail: mailRequest.user.email_change } : {}),
  });
  return { code, token, steps: [...statements, context.outbox.put(message)] };
}

/** The data of a mail for the hook SEND_EMAIL. */
export function emailData(
  context: AuthContext,
  request: AuthRequest,
  purpose: MailPurpose,
  tokens: Pick<PlannedEmail, 'token' | 'token_hash' | 'token_new' | 'token_hash_new'>,
): PlannedEmail {
  return { ...tokens, redirect_to: redirectTarget(context, request), email_action_type: purpose };
}

/** Plans a code without a mail, for administrators who deliver it themselves. */
export function planCode(
  { config, now }: AuthContext,
  { user, purpose, to = user.email ?? '', isPkce = false, token: kind = MAILS[purpose].token }: MailRequest,
): PlannedCode & { to: string } {
  const code = randomCode(config.codes.email.digits);
  const token = randomLinkToken(isPkce);
  const stored = storeToken({ userId: user.id, kind, token, code, recipient: to }, now());
  return { code, token, to, statements: [stored] };
}
