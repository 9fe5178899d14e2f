/** Accepts an invitation by signing in with a provider instead of a password. */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { proveAddress } from '../../one-time/proof/statements.ts';
import { type LockedToken, lockByLinkToken, wipeTokens } from '../../one-time/statements.ts';
import { confirmUser } from '../../user/update.ts';
import { isBanned } from '../../user/user.ts';
import { addToAccount } from './add-to-account.ts';
import type { ExternalProfile, MatchedAccount } from './external-profile.ts';
import { identityOf } from './provider-identity.ts';
import { revokeUnprovenAccess } from './revoke-unproven-access.ts';

/**
 * Accepts an invitation, whose token proves ownership of the mailbox. Throws `invite_not_found`, and
 * `invalid_credentials` if the profile lacks the invited address.
 */
export async function acceptInvitation(
  tx: Transaction,
  context: AuthContext,
  external: ExternalProfile,
  token: string,
): Promise<MatchedAccount> {
  const now = context.now();
  const [owner] = await tx.query<LockedToken>(
    lockByLinkToken(token, ['confirmation_token'], external.audience),
  );
  if (!owner?.confirmation_token || owner.invited_at === null) throw failure('invite_not_found');
  if (isBanned(owner, now)) throw failure('user_banned');
  const addresses = external.profile.emails.map(({ address }) => address.toLowerCase());
  if (!addresses.includes(owner.email?.toLowerCase() ?? '')) {
    const message = 'Invited email does not match emails from external provider';
    throw failure('invalid_credentials', { message });
  }
  const identity = identityOf(external);
  const invited = await addToAccount(tx, context, identity, owner.id);
  const user = await revokeUnprovenAccess(tx, invited, identity, now);
  return {
    user,
    audit: auditEntry(user, 'invite_accepted', { provider: external.provider }),
    outcome: 'accepted',
    steps: [
      wipeTokens(user.id, now),
      confirmUser(user.id, 'email', now),
      proveAddress(user.id, 'email', now),
    ],
  };
}
