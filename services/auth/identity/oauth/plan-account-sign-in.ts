/** Plans the sign-in to an account with one of its identities. */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { mailFlow } from '../../flow-state/mail-flow.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import { notifyIdentityLinked } from '../../mail/notify.ts';
import { wasSentRecently } from '../../one-time/message-spacing.ts';
import { auditRevocation } from '../../one-time/proof/mailbox-proof.ts';
import { isOwnSession } from '../../one-time/proof/own-session.ts';
import { lockForRevocation } from '../../one-time/proof/revocation-lock.ts';
import { proveAddress, revokeOtherAccess } from '../../one-time/proof/statements.ts';
import { wipeTokens } from '../../one-time/statements.ts';
import { confirmUser, mergeMetadata, refreshProviders } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import type { MatchedAccount } from './external-profile.ts';
import type { ProviderIdentity } from './identity-statements.ts';
import { planConfirmation } from './plan-confirmation.ts';
import type { ProfileEmail } from './profile.ts';
import { revokeUnprovenAccess } from './revoke-unproven-access.ts';

/** An account, and the identity of it that a user signs in with. */
interface IdentitySignIn {
  user: UserRow;
  identity: ProviderIdentity;
  /** The account's address at the provider. */
  email: ProfileEmail | undefined;
  /** What this sign-in has just created. */
  created: 'nothing' | 'identity' | 'account';
  /** False if this sign-in is the first proof of the account's address. */
  isProven: boolean;
  challenge: Challenge | undefined;
}

/**
 * Plans a sign-in. A confirmed account with a proven address needs no further check. Any other must be confirmed
 * now; a confirmed phone number does not prove its email address.
 */
export async function planAccountSignIn(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: IdentitySignIn,
): Promise<MatchedAccount> {
  const { user, identity, email, created, isProven } = signIn;
  const { provider } = identity;
  const now = context.now();
  if (user.confirmed_at !== null && isProven) {
    const steps = [
      mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
      refreshProviders(user.id),
      ...(created === 'identity' ? await notifyIdentityLinked(context, user, provider) : []),
    ];
    return { user, audit: auditEntry(user, 'login', { provider }), outcome: 'accepted', steps };
  }
  // If the profile does not prove the account's address, `isProven` is true.
  if (user.email_confirmed_at !== null && !isProven) return planFirstProof(tx, context, request, signIn);
  const isOwn = email !== undefined && email.address === user.email?.toLowerCase();
  const confirms = isOwn && (email.isVerified || context.config.autoconfirm.email);
  const mayBePrehijacked = created === 'identity' || (created === 'nothing' && confirms);
  const owner = mayBePrehijacked ? await revokeUnprovenAccess(tx, user, identity, now) : user;
  if (!confirms) return planUnconfirmedSignIn(context, request, owner, signIn);
  const proof = email.isVerified ? [proveAddress(owner.id, 'email', now)] : [];
  return {
    user: owner,
    audit: auditEntry(owner, 'user_signedup', { provider }),
    outcome: 'accepted',
    steps: [wipeTokens(owner.id, now), confirmUser(owner.id, 'email', now), ...proof],
  };
}

/**
 * The provider verifies the address of an account that was confirmed without a proof. This ends the access of
 * the user who signed up with the address, unless the request comes from a session of the account.
 */
async function planFirstProof(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { user, identity, created }: IdentitySignIn,
): Promise<MatchedAccount> {
  const { provider, providerId } = identity;
  const now = context.now();
  const hasOwnSession = await isOwnSession(tx, context, request, user.id);
  const retained = { identity: { provider, providerId } };
  const revocation = [...lockForRevocation(user.id), ...revokeOtherAccess(user.id, 'email', retained, now)];
  for (const statement of hasOwnSession ? [] : revocation) await tx.query(statement);
  const steps = [
    proveAddress(user.id, 'email', now),
    mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
    refreshProviders(user.id),
    ...(hasOwnSession ? [] : auditRevocation(context, request, user, 'email')),
    ...(created === 'identity' ? await notifyIdentityLinked(context, user, provider) : []),
  ];
  const owner = hasOwnSession
    ? user
    : { ...user, encrypted_password: null, phone: null, phone_confirmed_at: null };
  return { user: owner, audit: auditEntry(owner, 'login', { provider }), outcome: 'accepted', steps };
}

/**
 * Requires confirmation by a mail to the account's address, whose link signs in. Signs in directly if the
 * account has no address or unverified sign-ins are allowed.
 */
async function planUnconfirmedSignIn(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  { identity: { provider }, challenge }: Pick<IdentitySignIn, 'identity' | 'challenge'>,
): Promise<MatchedAccount> {
  if (!user.email || context.config.externalProviders.unverifiedSignIns) {
    const audit = auditEntry(user, 'login', { provider });
    return { user, audit, outcome: 'accepted', steps: [] };
  }
  const isSent = wasSentRecently(user.confirmation_sent_at, 'email', context);
  const steps = isSent ? [] : await planConfirmation(context, request, user, challenge);
  // The link in a mail sent earlier completes the latest flow.
  if (isSent && challenge) steps.push(...mailFlow('signup', user.id, challenge, context.now()));
  const audit = auditEntry(user, 'user_confirmation_requested', { provider });
  return { user, audit, outcome: 'needs verification', steps };
}
