import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { findUserById } from '../../user/find.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { addIdentity, findIdentityOwner, type ProviderIdentity } from './identity-statements.ts';

/**
 * Adds an identity to an account. Throws `identity_already_exists`, `user_not_found`, `user_banned`, and
 * `user_sso_managed` for accounts of an organisation.
 */
export async function addToAccount(
  tx: Transaction,
  context: AuthContext,
  identity: ProviderIdentity,
  userId: string,
): Promise<UserRow> {
  const now = context.now();
  const [owner] = await tx.query<UserRow>(findIdentityOwner(identity.provider, identity.providerId));
  if (owner !== undefined) {
    const message =
      owner.id === userId ? 'Identity is already linked' : 'Identity is already linked to another user';
    throw failure('identity_already_exists', { message });
  }
  const [user] = await tx.query<UserRow>(findUserById(userId));
  if (user === undefined) throw failure('user_not_found');
  if (isBanned(user, now)) throw failure('user_banned');
  // An organisation must be able to lock its users out, so its accounts have no other identities.
  if (user.is_sso_user) throw failure('user_sso_managed');
  await tx.query(addIdentity(userId, identity, now));
  return user;
}
