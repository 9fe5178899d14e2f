/**
 * Admits users with an external profile: finds or creates the account, and adds the identity to it. All of it happens in one
 * transaction, which its caller ends with a session or a code.
 */
import { randomUUID } from 'node:crypto';
import type { Transaction } from '@greenroom/postgres';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { type ApprovalRequired, needsApproval } from '../../hooks/approval.ts';
import { findOwnerOfEmail, findUserById } from '../../user/find.ts';
import { insertUser, type NewUser } from '../../user/insert.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import { enterAccount } from './enter-account.ts';
import type { Admission, ExternalProfile } from './external-profile.ts';
import { findAccount } from './find-account.ts';
import { addIdentity, type ProviderIdentity, updateIdentity } from './identity-statements.ts';
import { candidateEmail, decideLinking } from './linking.ts';
import { identityOf } from './provider-identity.ts';

/**
 * Finds or creates the account of an external profile. Throws `signup_disabled`, `user_banned`, and `unexpected_failure` if
 * the profile has no address or matches several accounts.
 */
export async function admit(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  external: ExternalProfile,
): Promise<Admission | ApprovalRequired> {
  const { emails } = external.profile;
  if (emails.length === 0 && !external.emailOptional) {
    throw failure('unexpected_failure', { message: 'Error getting user email from external provider' });
  }
  const email = candidateEmail(emails);
  const identity = identityOf(external, email);
  const known = await findAccount(tx, external);
  if (known === undefined) return createAccount(tx, context, request, external, identity);
  if (isBanned(known.user, context.now())) throw failure('user_banned');
  const now = context.now();
  const isNew = known.outcome === 'link';
  await tx.query(isNew ? addIdentity(known.user.id, identity, now) : updateIdentity(identity, now));
  const since = isNew ? 'linked now' : 'before';
  const { challenge } = external;
  return enterAccount(tx, context, request, { ...known, identity, email, since, challenge });
}

async function createAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { provider, profile, audience, approved, challenge }: ExternalProfile,
  identity: ProviderIdentity,
): Promise<Admission | ApprovalRequired> {
  const { config } = context;
  if (config.disableSignup) throw failure('signup_disabled');
  const now = context.now();
  const wanted = candidateEmail(profile.emails);
  const [taken] = wanted === undefined ? [] : await tx.query(findOwnerOfEmail(wanted.address, audience));
  const decision = decideLinking(profile.emails, undefined, [], taken !== undefined);
  const email = decision.outcome === 'create' ? decision.email : undefined;
  const planned: NewUser = {
    id: approved?.id ?? randomUUID(),
    aud: audience,
    role: config.jwt.defaultRole,
    email: email?.address ?? null,
    phone: null,
    passwordHash: null,
    appMetadata: { provider, providers: [provider] },
    userMetadata: identity.data,
    isAnonymous: false,
  };
  if (needsApproval(context, approved)) return { approvalFor: planned };
  await tx.query(insertUser(planned, now));
  await tx.query(addIdentity(planned.id, identity, now));
  const [user] = await tx.query<UserRow>(findUserById(planned.id));
  if (user === undefined) throw failure('unexpected_failure', { message: 'Database error saving new user' });
  const admission = await enterAccount(tx, context, request, {
    user,
    identity,
    email,
    since: 'made now',
    isProven: true,
    challenge,
  });
  return { ...admission, isNew: true };
}
