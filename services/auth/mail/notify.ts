/**
 * Mails that notify users of changes of their account, if GOTRUE_MAILER_NOTIFICATIONS_… enables them. Each function
 * plans statements for the transaction of the change; after it, call `context.outbox.wake()`. Users without an address,
 * or with one that mails may not be sent to, get no mail. The change succeeds anyway.
 */

import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { MailData } from '../contracts/mailer.ts';
import type { NotificationName } from '../settings/mail.ts';
import type { UserRow } from '../user/user.ts';
import { isAuthorizedAddress } from './authorized.ts';

/** The user before the change. */
type Owner = Pick<UserRow, 'email' | 'phone' | 'raw_user_meta_data'>;
type Details = Pick<MailData, 'oldEmail' | 'phone' | 'oldPhone' | 'provider' | 'factorType'>;

/** Notifies of a new password. */
export function notifyPasswordChanged(context: AuthContext, user: Owner): Promise<Statement[]> {
  return plan(context, 'password_changed', user);
}

/** Notifies the previous mailbox of a new email address. */
export async function notifyEmailChanged(
  context: AuthContext,
  user: Owner,
  email: string,
): Promise<Statement[]> {
  if (!user.email || email === '' || email === user.email) return [];
  return plan(context, 'email_changed', user, { oldEmail: user.email }, email);
}

/** Notifies of a new phone number; the first number of an account does not count. */
export async function notifyPhoneChanged(
  context: AuthContext,
  user: Owner,
  phone: string,
): Promise<Statement[]> {
  if (!user.phone || phone === '' || phone === user.phone) return [];
  return plan(context, 'phone_changed', user, { phone, oldPhone: user.phone });
}

/**
 * Notifies of a linked identity.
 * @param provider its name, e.g. `github`
 */
export function notifyIdentityLinked(context: AuthContext, user: Owner, provider: string) {
  return plan(context, 'identity_linked', user, { provider });
}

/**
 * Notifies of an unlinked identity.
 * @param provider its name, e.g. `github`
 */
export function notifyIdentityUnlinked(context: AuthContext, user: Owner, provider: string) {
  return plan(context, 'identity_unlinked', user, { provider });
}

/**
 * Notifies of a second factor that was verified for the first time.
 * @param factorType `totp`, `phone` or `webauthn`
 */
export function notifyFactorEnrolled(context: AuthContext, user: Owner, factorType: string) {
  return plan(context, 'mfa_factor_enrolled', user, { factorType });
}

/**
 * Notifies of the deletion of a verified second factor.
 * @param factorType `totp`, `phone` or `webauthn`
 */
export function notifyFactorUnenrolled(context: AuthContext, user: Owner, factorType: string) {
  return plan(context, 'mfa_factor_unenrolled', user, { factorType });
}

/**
 * Plans a notification. Notifications have their own limit, so that requested mails cannot suppress them.
 * @param email the address of the account after the change
 */
async function plan(
  { config, limits, mailer, outbox, now }: AuthContext,
  name: NotificationName,
  user: Owner,
  details: Details = {},
  email: string = user.email ?? '',
): Promise<Statement[]> {
  const to = user.email ?? '';
  if (!config.mail.notifies[name] || to === '' || !isAuthorizedAddress(to, config.mail)) return [];
  if (!limits.messages.allowsNotification(to, now())) return [];
  const userMetadata = user.raw_user_meta_data ?? {};
  const data = { to, email, userMetadata, redirectTo: config.redirects.siteUrl, ...details };
  return [outbox.put(await mailer.compose(`${name}_notification`, data))];
}
