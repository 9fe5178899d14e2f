/** Signs a user in to an existing account with one of its identities. */
import type { Transaction } from '@greenroom/postgres';
import { auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { mailFlow } from '../../flow-state/mail-flow.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import { notifyIdentityLinked } from '../../mail/notify.ts';
import { auditRevocation } from '../../one-time/proof/mailbox-proof.ts';
import { isOwnSession } from '../../one-time/proof/own-session.ts';
import { lockForRevocation } from '../../one-time/proof/revocation-lock.ts';
import { proveAddress, revokeOtherAccess } from '../../one-time/proof/statements.ts';
import { wasSentLately } from '../../one-time/sent-lately.ts';
import { wipeTokens } from '../../one-time/statements.ts';
import { confirmUser, mergeMetadata, refreshProviders } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import { disarm } from './disarm.ts';
import type { Admission } from './external-profile.ts';
import type { ProviderIdentity } from './identity-statements.ts';
import { planConfirmation } from './plan-confirmation.ts';
import type { ProfileEmail } from './profile.ts';

/** An account, and the identity of it that a user signs in with. */
interface IdentitySignIn {
  user: UserRow;
  identity: ProviderIdentity;
  /** The account's address at the provider. */
  email: ProfileEmail | undefined;
  /** Whether the account or its identity was created just now. */
  since: 'before' | 'linked now' | 'made now';
  /** False if this sign-in is the first proof of the account's address. */
  isProven: boolean;
  challenge: Challenge | undefined;
}

/**
 * Admits a user to an account that was confirmed before. Another one has to be confirmed now: a confirmed phone number does
 * not prove an email address.
 */
export async function enterAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: IdentitySignIn,
): Promise<Admission> {
  const { user, identity, email, since, isProven } = signIn;
  const { provider } = identity;
  const now = context.now();
  if (user.confirmed_at !== null && isProven) {
    const steps = [
      mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
      refreshProviders(user.id),
      ...(since === 'linked now' ? await notifyIdentityLinked(context, user, provider) : []),
    ];
    return { user, audit: auditEntry(user, 'login', { provider }), outcome: 'admitted', steps };
  }
  // Without a verified address of the account, a profile is no proof: see isProven.
  if (user.email_confirmed_at !== null && !isProven) return enterByFirstProof(tx, context, request, signIn);
  const isOwn = email !== undefined && email.address === user.email?.toLowerCase();
  const confirms = isOwn && (email.isVerified || context.config.autoconfirm.email);
  const mayBeTrap = since === 'linked now' || (since === 'before' && confirms);
  const owner = mayBeTrap ? await disarm(tx, user, identity, now) : user;
  if (!confirms) return enterUnconfirmed(context, request, owner, signIn);
  const proof = email.isVerified ? [proveAddress(owner.id, 'email', now)] : [];
  return {
    user: owner,
    audit: auditEntry(owner, 'user_signedup', { provider }),
    outcome: 'admitted',
    steps: [wipeTokens(owner.id, now), confirmUser(owner.id, 'email', now), ...proof],
  };
}

/**
 * The provider verifies the address of an account that was confirmed without a proof. This ends the access of the user who
 * signed up with the address, unless the request comes from a session of the account.
 */
async function enterByFirstProof(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { user, identity, since }: IdentitySignIn,
): Promise<Admission> {
  const { provider, providerId } = identity;
  const now = context.now();
  const isHolder = await isOwnSession(tx, context, request, user.id);
  const kept = { identity: { provider, providerId } };
  const ending = [...lockForRevocation(user.id), ...revokeOtherAccess(user.id, 'email', kept, now)];
  for (const statement of isHolder ? [] : ending) await tx.query(statement);
  const steps = [
    proveAddress(user.id, 'email', now),
    mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
    refreshProviders(user.id),
    ...(isHolder ? [] : auditRevocation(context, request, user, 'email')),
    ...(since === 'linked now' ? await notifyIdentityLinked(context, user, provider) : []),
  ];
  const owner = isHolder
    ? user
    : { ...user, encrypted_password: null, phone: null, phone_confirmed_at: null };
  return { user: owner, audit: auditEntry(owner, 'login', { provider }), outcome: 'admitted', steps };
}

/** Sends a mail to the owner of the address, if there is one, whose link signs in. */
async function enterUnconfirmed(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  { identity: { provider }, challenge }: Pick<IdentitySignIn, 'identity' | 'challenge'>,
): Promise<Admission> {
  if (!user.email || context.config.externalProviders.unverifiedSignIns) {
    const audit = auditEntry(user, 'login', { provider });
    return { user, audit, outcome: 'admitted', steps: [] };
  }
  const isSent = wasSentLately(user.confirmation_sent_at, 'email', context);
  const steps = isSent ? [] : await planConfirmation(context, request, user, challenge);
  // The mail that was sent before continues the latest flow.
  if (isSent && challenge) steps.push(...mailFlow('signup', user.id, challenge, context.now()));
  const audit = auditEntry(user, 'user_confirmation_requested', { provider });
  return { user, audit, outcome: 'needs verification', steps };
}
