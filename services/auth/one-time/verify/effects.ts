/** Plans the effects of a verified token on its user. */
import { randomBytes } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import { type AuditEntry, auditEntry } from '../../audit/entry.ts';
import type { PasswordHasher } from '../../contracts/passwords.ts';
import type { Client } from '../../contracts/rate-limits.ts';
import type { AuthConfig } from '../../settings/settings.ts';
import {
  changeEmail,
  changePassword,
  changePhone,
  confirmUser,
  verifyIdentities,
} from '../../user/update.ts';
import { type TokenOwner, wipeToken } from '../statements.ts';
import type { TokenKind } from '../token-kind.ts';
import type { VerificationType } from '../verification-type.ts';

/** Bytes of a random password that is discarded. */
const RANDOM_PASSWORD_BYTES = 48;

/** The statements to run. `passwordHash` is the user's hash afterwards. */
interface Effects {
  statements: Statement[];
  audit: AuditEntry;
  passwordHash: string | null;
}

/** Plans the effects of a token by its kind. */
export async function planEffects(
  type: VerificationType,
  kind: TokenKind,
  owner: TokenOwner,
  { now, passwords, client }: { now: Date; passwords: PasswordHasher; client: Client },
): Promise<Effects> {
  const { id, encrypted_password: passwordHash } = owner;
  const modified = auditEntry(owner, 'user_modified');
  switch (kind) {
    case 'email_change_token_current':
    case 'email_change_token_new':
      return { statements: changeEmail(id, owner.email_change ?? '', now), audit: modified, passwordHash };
    case 'phone_change_token':
      return { statements: changePhone(id, owner.phone_change ?? '', now), audit: modified, passwordHash };
    case 'recovery_token':
      if (owner.confirmed_at === null) return confirmEmail(owner, now, passwords, client);
      return { statements: [], audit: auditEntry(owner, 'login'), passwordHash };
    default:
      return type === 'sms' ? confirmPhone(owner, now) : confirmEmail(owner, now, passwords, client);
  }
}

/** Confirms the email address of the user. */
async function confirmEmail(
  owner: TokenOwner,
  now: Date,
  passwords: PasswordHasher,
  client: Client,
): Promise<Effects> {
  const invited = owner.invited_at !== null && !owner.encrypted_password;
  // An invited user chooses a password after the first sign-in. A random one prevents a sign-in with an empty password
  // before that.
  const passwordHash = invited
    ? await passwords.hash(randomBytes(RANDOM_PASSWORD_BYTES).toString('base64url'), client)
    : owner.encrypted_password;
  return {
    passwordHash,
    audit: auditEntry(owner, invited ? 'invite_accepted' : 'user_signedup', { provider: 'email' }),
    statements: [
      ...(invited && passwordHash ? changePassword(owner.id, passwordHash, now) : []),
      confirmUser(owner.id, 'email', now),
      verifyIdentities(owner.id, 'email', now),
    ],
  };
}

async function confirmPhone(owner: TokenOwner, now: Date): Promise<Effects> {
  const isNew = owner.phone_confirmed_at === null;
  return {
    passwordHash: owner.encrypted_password,
    audit: auditEntry(owner, isNew ? 'user_signedup' : 'login', { provider: 'phone' }),
    statements: isNew ? [confirmUser(owner.id, 'phone', now), verifyIdentities(owner.id, 'phone', now)] : [],
  };
}

/** Whether a change of email address still needs the confirmation of both mailboxes. */
export function needsBothMailboxes(
  { email, email_change_confirm_status }: TokenOwner,
  { autoconfirm, secureEmailChange }: Pick<AuthConfig, 'autoconfirm' | 'secureEmailChange'>,
): boolean {
  return !autoconfirm.email && secureEmailChange && email_change_confirm_status === 0 && Boolean(email);
}

/** Stores the first confirmation. The token of the other mailbox stays valid. */
export function acceptFirstConfirmation(owner: TokenOwner, kind: TokenKind, now: Date): Statement[] {
  return [
    {
      name: 'auth_accept_first_of_two',
      text: 'update auth.users set email_change_confirm_status = 1, updated_at = $2 where id = $1',
      values: [owner.id, now],
    },
    wipeToken(owner.id, kind, now),
  ];
}
