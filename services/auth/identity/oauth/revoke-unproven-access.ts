/** Protection against account pre-hijacking. */
import type { Transaction } from '@greenroom/postgres';
import { lockForRevocation } from '../../one-time/proof/revocation-lock.ts';
import { refreshProviders } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import { deleteUnprovenAccess, type ProviderIdentity } from './identity-statements.ts';

/** Removes all access to an account that others may have prepared before its owner signed in for the first time. */
export async function revokeUnprovenAccess(
  tx: Transaction,
  user: UserRow,
  identity: ProviderIdentity,
  now: Date,
): Promise<UserRow> {
  const { id } = user;
  const statements = [
    ...lockForRevocation(id),
    ...deleteUnprovenAccess(id, identity, now),
    refreshProviders(id),
  ];
  for (const statement of statements) await tx.query(statement);
  return { ...user, encrypted_password: null, phone: null, phone_confirmed_at: null };
}
