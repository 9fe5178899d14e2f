/** The variables that each kind of mail has, for editors of templates. */
import type { MailKind } from '../settings/mail.ts';

const GENERAL = ['SiteURL', 'Email', 'SendingTo', 'Data', 'RedirectTo'] as const;
const CODE = ['ConfirmationURL', 'Token', 'TokenHash'] as const;

const ADDITIONAL: Record<MailKind, readonly string[]> = {
  confirmation: CODE,
  recovery: CODE,
  magic_link: CODE,
  invite: CODE,
  email_change: [...CODE, 'NewEmail'],
  reauthentication: ['Token'],
  password_changed_notification: [],
  email_changed_notification: ['OldEmail'],
  phone_changed_notification: ['Phone', 'OldPhone'],
  identity_linked_notification: ['Provider'],
  identity_unlinked_notification: ['Provider'],
  mfa_factor_enrolled_notification: ['FactorType'],
  mfa_factor_unenrolled_notification: ['FactorType'],
};

/** Returns the names of variables, e.g. `Token`, the most useful first. */
export function variableNamesOf(kind: MailKind): string[] {
  return [...ADDITIONAL[kind], ...GENERAL];
}
