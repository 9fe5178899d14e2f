/** Plans the rows of a new account with its identity. With autoconfirm, the account is confirmed. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuditActor } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { IdentityData } from '../../user/identity.ts';
import { insertIdentity, insertUser, type NewUser } from '../../user/insert.ts';
import { adoptIdentity, confirmUser } from '../../user/update.ts';
import type { Registration } from './registration.ts';

/** An account to insert. */
export interface NewAccount {
  user: NewUser & AuditActor & { email_change: null };
  /** They fail with PostgreSQL's error if the address is taken or a trigger raises an exception. */
  statements: Statement[];
}

/**
 * Plans an account. If the user signs up, `user_metadata` repeats the identity's data, as in GoTrue. If an admin
 * creates the account (`isAdminCreated`), it has only the admin's metadata.
 * @param passwordHash null: only codes and links can sign in
 */
export function newAccount(
  registration: Omit<Registration, 'password'>,
  passwordHash: string | null,
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
  { isAdminCreated = false } = {},
): NewAccount {
  const { provider } = registration;
  const at = now();
  const user = newUser(registration, passwordHash, config.jwt.defaultRole);
  const data = identityDataOf(registration, user.id);
  const metadata = isAdminCreated ? registration.data : { ...registration.data, ...data };
  return {
    user: { ...user, is_sso_user: false, raw_user_meta_data: metadata, email_change: null },
    statements: [
      insertUser(user, at),
      insertIdentity({ userId: user.id, provider, data }, at),
      adoptIdentity(user.id, metadata, provider, at),
      ...(config.autoconfirm[provider] ? [confirmUser(user.id, provider, at)] : []),
    ],
  };
}

function newUser(
  { provider, address, audience, data }: Omit<Registration, 'password'>,
  passwordHash: string | null,
  role: string,
): NewUser {
  return {
    id: randomUUID(),
    aud: audience,
    role,
    email: provider === 'email' ? address : null,
    phone: provider === 'phone' ? address : null,
    passwordHash,
    appMetadata: { provider, providers: [provider] },
    userMetadata: data,
    isAnonymous: false,
  };
}

/**
 * The submitted data, overwritten by verified values. `email` of an identity states who owns an address. An `email` in
 * the data of a sign-up by phone is therefore removed: it would claim that address.
 */
function identityDataOf(
  { provider, address, data }: Omit<Registration, 'password'>,
  userId: string,
): IdentityData {
  const { email: _unproven, ...rest } = data;
  return { ...rest, sub: userId, [provider]: address, email_verified: false, phone_verified: false };
}
