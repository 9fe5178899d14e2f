/**
 * Finds or creates the account of an external profile and adds the identity to it, in one transaction, which
 * the caller completes with a session or a code.
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
import type { ExternalProfile, MatchedAccount } from './external-profile.ts';
import { findAccount } from './find-account.ts';
import { addIdentity, type ProviderIdentity, updateIdentity } from './identity-statements.ts';
import { candidateEmail, decideLinking } from './linking.ts';
import { planAccountSignIn } from './plan-account-sign-in.ts';
import { identityOf } from './provider-identity.ts';

/**
 * Finds or creates the account of an external profile. Throws `signup_disabled`, `user_banned`, and `unexpected_failure` if
 * the profile has no address or matches several accounts.
 */
export async function findOrCreateAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  external: ExternalProfile,
): Promise<MatchedAccount | ApprovalRequired> {
  const { emails } = external.profile;
  if (emails.length === 0 && !external.emailOptional) {
    throw failure('unexpected_failure', { message: 'Error getting user email from external provider' });
  }
  const email = candidateEmail(emails);
  const identity = identityOf(external, email);
  const existing = await findAccount(tx, external);
  if (existing === undefined) return createAccount(tx, context, request, external, identity);
  if (isBanned(existing.user, context.now())) throw failure('user_banned');
  const now = context.now();
  const isNew = existing.outcome === 'link';
  await tx.query(isNew ? addIdentity(existing.user.id, identity, now) : updateIdentity(identity, now));
  const created = isNew ? 'identity' : 'nothing';
  const { challenge } = external;
  return planAccountSignIn(tx, context, request, { ...existing, identity, email, created, challenge });
}

async function createAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { provider, profile, audience, approved, challenge }: ExternalProfile,
  identity: ProviderIdentity,
): Promise<MatchedAccount | ApprovalRequired> {
  const { config } = context;
  if (config.disableSignup) throw failure('signup_disabled');
  const now = context.now();
  const candidate = candidateEmail(profile.emails);
  const [owner] =
    candidate === undefined ? [] : await tx.query(findOwnerOfEmail(candidate.address, audience));
  const decision = decideLinking(profile.emails, undefined, [], owner !== undefined);
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
  const account = await planAccountSignIn(tx, context, request, {
    user,
    identity,
    email,
    created: 'account',
    isProven: true,
    challenge,
  });
  return { ...account, isNew: true };
}
