/** Lets somebody who was invited by mail come in with a provider instead of a password. */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import { failure } from '../../errors.ts';
import { proveAddress } from '../../one-time/proof/statements.ts';
import { type LockedToken, lockByLinkToken, wipeTokens } from '../../one-time/statements.ts';
import { confirmUser } from '../../user/update.ts';
import { isBanned } from '../../user/user.ts';
import { addToAccount } from './add-to-account.ts';
import { disarm } from './disarm.ts';
import type { Admission, ExternalProfile } from './external-profile.ts';
import { identityOf } from './provider-identity.ts';

/** The invitation's token proves the mailbox. Throws `invite_not_found`, and `invalid_credentials` for another address. */
export async function acceptInvitation(
  tx: Transaction,
  context: AuthContext,
  arrival: ExternalProfile,
  token: string,
): Promise<Admission> {
  const now = context.now();
  const [owner] = await tx.query<LockedToken>(
    lockByLinkToken(token, ['confirmation_token'], arrival.audience),
  );
  if (!owner?.confirmation_token || owner.invited_at === null) throw failure('invite_not_found');
  if (isBanned(owner, now)) throw failure('user_banned');
  const addresses = arrival.profile.emails.map(({ address }) => address.toLowerCase());
  if (!addresses.includes(owner.email?.toLowerCase() ?? '')) {
    const message = 'Invited email does not match emails from external provider';
    throw failure('invalid_credentials', { message });
  }
  const identity = identityOf(arrival);
  const invited = await addToAccount(tx, context, identity, owner.id);
  const user = await disarm(tx, invited, identity, now);
  return {
    user,
    audit: auditEntry(user, 'invite_accepted', { provider: arrival.provider }),
    outcome: 'admitted',
    steps: [
      wipeTokens(user.id, now),
      confirmUser(user.id, 'email', now),
      proveAddress(user.id, 'email', now),
    ],
  };
}
