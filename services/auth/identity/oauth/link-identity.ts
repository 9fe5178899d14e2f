/** Links an identity to the account of a signed-in user, who gets a new session. */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { notifyIdentityLinked } from '../../mail/notify.ts';
import { proveAddress } from '../../one-time/proof/statements.ts';
import { findOwnerOfEmail } from '../../user/find.ts';
import { confirmUser, refreshProviders } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import { addToAccount } from './add-to-account.ts';
import type { ExternalProfile, MatchedAccount } from './external-profile.ts';
import { removeAnonymity, setUnconfirmedEmail } from './identity-statements.ts';
import { candidateEmail, verifiedAddresses } from './linking.ts';
import { planConfirmation } from './plan-confirmation.ts';
import { identityOf } from './provider-identity.ts';

/** Throws `identity_already_exists`, `user_not_found`, `user_banned`. */
export async function linkIdentity(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  external: ExternalProfile,
  userId: string,
): Promise<MatchedAccount> {
  const user = await addToAccount(tx, context, identityOf(external), userId);
  const now = context.now();
  const traits = { provider: external.provider, provider_id: external.profile.subject };
  const audit = auditEntry(user, 'identity_linked', traits);
  const linked = [
    refreshProviders(userId),
    ...(await notifyIdentityLinked(context, user, external.provider)),
  ];
  const email = await availableEmail(tx, external, user);
  const isVerifiedByProvider = (address: string | null) =>
    address !== null && verifiedAddresses(external.profile.emails).includes(address.toLowerCase());
  if (email === undefined) {
    const proof = isVerifiedByProvider(user.email) ? [proveAddress(userId, 'email', now)] : [];
    return { user, audit, outcome: 'accepted', steps: [...linked, ...proof, removeAnonymity(userId, now)] };
  }
  const statements = [...linked, setUnconfirmedEmail(userId, email.address, now)];
  if (email.isVerified || context.config.autoconfirm.email) {
    const proof = email.isVerified ? [proveAddress(userId, 'email', now)] : [];
    const steps = [...statements, confirmUser(userId, 'email', now), ...proof, removeAnonymity(userId, now)];
    return { user, audit, outcome: 'accepted', steps };
  }
  const owner = { ...user, email: email.address };
  const mail = await planConfirmation(context, request, owner, external.challenge);
  return { user, audit, outcome: 'needs verification', steps: [...statements, ...mail] };
}

/** Returns an address for an account that has none, unless another account has it. */
async function availableEmail(tx: Transaction, { profile, audience }: ExternalProfile, user: UserRow) {
  const email = candidateEmail(profile.emails);
  if (user.email || email === undefined) return undefined;
  const [owner] = await tx.query(findOwnerOfEmail(email.address, audience, user.id));
  return owner === undefined ? email : undefined;
}
