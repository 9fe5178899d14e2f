/** Mails with a one-time code: plans what stores the code's token, and the message that carries it. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext, AuthRequest } from '../endpoint.ts';
import { requireAuthorizedAddress } from '../mail/authorized.ts';
import { externalUrlOf } from '../mail/links.ts';
import type { FlowMail } from '../mail/texts.ts';
import { redirectTarget } from '../redirect/target.ts';
import type { UserRow } from '../user.ts';
import { hashCode, PKCE_PREFIX, randomCode } from './code.ts';
import { storeToken } from './statements.ts';
import type { TokenKind } from './token-kind.ts';

/** What a link says that it is for (query parameter `type` of /verify) → which mail, which token. */
const MAILS = {
  signup: { mail: 'confirmation', token: 'confirmation_token' },
  invite: { mail: 'invite', token: 'confirmation_token' },
  recovery: { mail: 'recovery', token: 'recovery_token' },
  magiclink: { mail: 'magic_link', token: 'recovery_token' },
  email_change: { mail: 'email_change', token: 'email_change_token_new' },
  reauthentication: { mail: 'reauthentication', token: 'reauthentication_token' },
} as const satisfies Record<string, { mail: FlowMail; token: TokenKind }>;

/** What a mail is for. */
export type MailPurpose = keyof typeof MAILS;

/** A mail that is wanted. */
export interface MailOrder {
  user: Pick<UserRow, 'id' | 'email' | 'email_change' | 'raw_user_meta_data'>;
  purpose: MailPurpose;
  /** Undefined: the user's own address. */
  to?: string;
  /** Whether the link has to end in a code for PKCE. */
  isPkce?: boolean;
  /** Undefined: what `purpose` says. */
  token?: TokenKind;
}

/** A code on its way. `token` is what links carry and what is stored. */
export interface PlannedCode {
  code: string;
  token: string;
  statements: Statement[];
}

/**
 * Plans a mail. Counts it; throws `over_email_send_rate_limit` where too many were sent, and
 * `email_address_not_authorized`, which a request whose answer must not tell of an account has to check before. After the statements are
 * committed, call `context.outbox.wake()`.
 */
export async function planMail(
  context: AuthContext,
  request: AuthRequest,
  order: MailOrder,
): Promise<PlannedCode> {
  const now = context.now();
  requireAuthorizedAddress(order.to ?? order.user.email ?? '', context.config);
  context.limits.countMessage('email', now);
  const planned = planCode(context, order);
  const message = await context.mailer.compose(MAILS[order.purpose].mail, {
    to: planned.to,
    email: order.user.email ?? '',
    token: planned.code,
    tokenHash: planned.token,
    verificationType: order.purpose,
    redirectTo: redirectTarget(context, request),
    externalUrl: externalUrlOf(context.config, request),
    userMetadata: order.user.raw_user_meta_data ?? {},
    ...(order.user.email_change ? { newEmail: order.user.email_change } : {}),
  });
  return { ...planned, statements: [...planned.statements, context.outbox.put(message)] };
}

/** Plans a code for a mailbox without a mail, for administrators who deliver it themselves. */
export function planCode(
  { config, now }: AuthContext,
  { user, purpose, to = user.email ?? '', isPkce = false, token: kind = MAILS[purpose].token }: MailOrder,
): PlannedCode & { to: string } {
  const code = randomCode(config.codes.email.digits);
  const token = (isPkce ? PKCE_PREFIX : '') + hashCode(to, code);
  const stored = storeToken({ userId: user.id, kind, hash: token, recipient: to }, now());
  return { code, token, to, statements: [stored] };
}
