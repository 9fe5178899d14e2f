/** Adds an identity to the account of somebody who is signed in, and signs them in anew. */
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
import type { Admission, ExternalProfile } from './external-profile.ts';
import { adoptEmail, makePermanent } from './identity-statements.ts';
import { candidateEmail, provenAddresses } from './linking.ts';
import { planConfirmation } from './plan-confirmation.ts';
import { identityOf } from './provider-identity.ts';

/** Throws `identity_already_exists`, `user_not_found`, `user_banned`. */
export async function link(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  arrival: ExternalProfile,
  userId: string,
): Promise<Admission> {
  const user = await addToAccount(tx, context, identityOf(arrival), userId);
  const now = context.now();
  const traits = { provider: arrival.provider, provider_id: arrival.profile.subject };
  const audit = auditEntry(user, 'identity_linked', traits);
  const linked = [refreshProviders(userId), ...(await notifyIdentityLinked(context, user, arrival.provider))];
  const email = await freeEmail(tx, arrival, user);
  const isVouchedFor = (address: string | null) =>
    address !== null && provenAddresses(arrival.profile.emails).includes(address.toLowerCase());
  if (email === undefined) {
    const proof = isVouchedFor(user.email) ? [proveAddress(userId, 'email', now)] : [];
    return { user, audit, outcome: 'admitted', steps: [...linked, ...proof, makePermanent(userId, now)] };
  }
  const adopted = [...linked, adoptEmail(userId, email.address, now)];
  if (email.isVerified || context.config.autoconfirm.email) {
    const proof = email.isVerified ? [proveAddress(userId, 'email', now)] : [];
    const steps = [...adopted, confirmUser(userId, 'email', now), ...proof, makePermanent(userId, now)];
    return { user, audit, outcome: 'admitted', steps };
  }
  const owner = { ...user, email: email.address };
  const mail = await planConfirmation(context, request, owner, arrival.challenge);
  return { user, audit, outcome: 'needs verification', steps: [...adopted, ...mail] };
}

/** The address that the account is to get: only where it has none, and nobody else has it. */
async function freeEmail(tx: Transaction, { profile, audience }: ExternalProfile, user: UserRow) {
  const email = candidateEmail(profile.emails);
  if (user.email || email === undefined) return undefined;
  const [taken] = await tx.query(findOwnerOfEmail(email.address, audience, user.id));
  return taken === undefined ? email : undefined;
}
