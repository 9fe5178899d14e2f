/**
 * Mails that tell people of a change of their account, where GOTRUE_MAILER_NOTIFICATIONS_… says so. Each is a plan of
 * statements for the transaction of the change; after it call `context.outbox.wake()`. Who has no address, or one that
 * mails may not go to, is told nothing: the change itself never fails for that.
 */

import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import type { MailData } from '../contracts/mailer.ts';
import type { NotificationName } from '../settings/mail.ts';
import type { UserRow } from '../user/user.ts';
import { isAuthorizedAddress } from './authorized.ts';

/** Whose account it is, as it was before the change. */
type Owner = Pick<UserRow, 'email' | 'phone' | 'raw_user_meta_data'>;
type Details = Pick<MailData, 'oldEmail' | 'phone' | 'oldPhone' | 'provider' | 'factorType'>;

/** There is a new password. */
export function tellPasswordChanged(context: AuthContext, user: Owner): Promise<Statement[]> {
  return plan(context, 'password_changed', user);
}

/** The address is another one: the mailbox that was theirs is told. */
export async function tellEmailChanged(
  context: AuthContext,
  user: Owner,
  email: string,
): Promise<Statement[]> {
  if (!user.email || email === '' || email === user.email) return [];
  return plan(context, 'email_changed', user, { oldEmail: user.email }, email);
}

/** The phone number is another one. A first one is no change. */
export async function tellPhoneChanged(
  context: AuthContext,
  user: Owner,
  phone: string,
): Promise<Statement[]> {
  if (!user.phone || phone === '' || phone === user.phone) return [];
  return plan(context, 'phone_changed', user, { phone, oldPhone: user.phone });
}

/** There is another way to sign in. @param provider its name, e.g. `github` */
export function tellIdentityLinked(context: AuthContext, user: Owner, provider: string) {
  return plan(context, 'identity_linked', user, { provider });
}

/** A way to sign in is gone. @param provider its name, e.g. `github` */
export function tellIdentityUnlinked(context: AuthContext, user: Owner, provider: string) {
  return plan(context, 'identity_unlinked', user, { provider });
}

/** A second factor counts from now on. @param factorType `totp`, `phone` or `webauthn` */
export function tellFactorEnrolled(context: AuthContext, user: Owner, factorType: string) {
  return plan(context, 'mfa_factor_enrolled', user, { factorType });
}

/** A second factor that counted is gone. @param factorType `totp`, `phone` or `webauthn` */
export function tellFactorUnenrolled(context: AuthContext, user: Owner, factorType: string) {
  return plan(context, 'mfa_factor_unenrolled', user, { factorType });
}

/**
 * Counted apart from requested mails: no request must be able to suppress a notification.
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
