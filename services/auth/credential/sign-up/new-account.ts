/** A new account with its identity: what is written, confirmed at once where the configuration says so. */
import { randomUUID } from 'node:crypto';
import type { Statement } from '@greenroom/postgres';
import type { AuditActor } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { IdentityData } from '../../user/identity.ts';
import { insertIdentity, insertUser, type NewUser } from '../../user/insert.ts';
import { adoptIdentity, confirmUser } from '../../user/update.ts';
import type { Registration } from './registration.ts';

/** An account about to be written. */
export interface NewAccount {
  user: NewUser & AuditActor & { email_change: null };
  /** Fail with PostgreSQL's error where the address is taken or a trigger refuses. */
  statements: Statement[];
}

/**
 * Plans an account. Of somebody who signs up, `user_metadata` repeats what the identity says, as with GoTrue; of
 * somebody whom an admin brings, it holds what the admin gave.
 * @param passwordHash null: it can be signed in to by codes and links only
 */
export function newAccount(
  registration: Omit<Registration, 'password'>,
  passwordHash: string | null,
  { config, now }: Pick<AuthContext, 'config' | 'now'>,
  { isBrought = false } = {},
): NewAccount {
  const { provider } = registration;
  const at = now();
  const user = newUser(registration, passwordHash, config.jwt.defaultRole);
  const data = identityDataOf(registration, user.id);
  const metadata = isBrought ? registration.data : { ...registration.data, ...data };
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
 * What was submitted, and over it what we know. An identity's `email` says whose address it is, so one that
 * was only submitted along with a phone number stays out: it would take that address from its owner.
 */
function identityDataOf(
  { provider, address, data }: Omit<Registration, 'password'>,
  userId: string,
): IdentityData {
  const { email: _unproven, ...rest } = data;
  return { ...rest, sub: userId, [provider]: address, email_verified: false, phone_verified: false };
}
