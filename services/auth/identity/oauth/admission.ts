/**
 * Lets in who has proved who they are elsewhere: finds or makes their account, and adds the identity to it. Everything
 * here happens in one transaction, which its caller ends with a session or a code.
 */
import { randomUUID } from 'node:crypto';
import type { Statement, Transaction } from '@greenroom/postgres';
import { type AuditEntry, auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { mailFlow } from '../../flow-state/mail-flow.ts';
import type { Challenge } from '../../flow-state/statements.ts';
import { type ApprovalRequired, needsApproval } from '../../hooks/approval.ts';
import type { Step } from '../../hooks/step.ts';
import { tellIdentityLinked } from '../../mail/notify.ts';
import { countRequested } from '../../one-time/count.ts';
import { planMail } from '../../one-time/mail.ts';
import { lockForEnding } from '../../one-time/proof/ending-lock.ts';
import { auditEnding } from '../../one-time/proof/mailbox-proof.ts';
import { holdsSession } from '../../one-time/proof/own-session.ts';
import { endOtherAccess, findProvenAmong, proveAddress } from '../../one-time/proof/statements.ts';
import { wasSentLately } from '../../one-time/sent-lately.ts';
import { wipeTokens } from '../../one-time/statements.ts';
import { findOwnerOfEmail, findUserById } from '../../user/find.ts';
import type { IdentityData } from '../../user/identity.ts';
import { insertUser, type NewUser } from '../../user/insert.ts';
import { confirmUser, mergeMetadata, refreshProviders } from '../../user/update.ts';
import { isBanned, type UserRow } from '../../user/user.ts';
import {
  addIdentity,
  dropUnconfirmed,
  findAccountsByEmail,
  findIdentityOwner,
  type ProviderIdentity,
  updateIdentity,
} from './identity-statements.ts';
import { type AccountWithAddress, candidateEmail, decideLinking, provenAddresses } from './linking.ts';
import type { Profile, ProfileEmail } from './profile.ts';

/** Metadata of several providers has to fit into one token. */
const MAX_CLAIMS_BYTES = 8192;
const MAX_NAME_LENGTH = 255;
/** It is part of an index. */
const MAX_SUBJECT_LENGTH = 1024;
/** NUL and half a surrogate pair, as JSON escapes them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/;

/** Somebody at the door. */
export interface Arrival {
  provider: string;
  profile: Profile;
  audience: string;
  /** Whether an account without an address will do. */
  emailOptional: boolean;
  /** The account to be made where there is none, if it has been agreed to. */
  approved?: NewUser | undefined;
  /** Of the flow that has brought them; where a mail has to be sent first, its link ends as this flow would have. */
  challenge?: Challenge | undefined;
}

/** What came of it: an account to open a session for, or one whose address is to be confirmed first. */
export interface Admission {
  user: UserRow;
  audit: AuditEntry;
  outcome: 'admitted' | 'needs verification';
  /** To be committed with the session, or instead of it. */
  steps: Step[];
  /** Whether the account was made just now. */
  isNew?: boolean;
}

/** Throws `signup_disabled`, `user_banned`, and `unexpected_failure` where no account can be told to be theirs. */
export async function admit(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  arrival: Arrival,
): Promise<Admission | ApprovalRequired> {
  const { emails } = arrival.profile;
  if (emails.length === 0 && !arrival.emailOptional) {
    throw failure('unexpected_failure', { message: 'Error getting user email from external provider' });
  }
  const email = candidateEmail(emails);
  const identity = identityOf(arrival, email);
  const known = await findAccount(tx, arrival);
  if (known === undefined) return welcome(tx, context, request, arrival, identity);
  if (isBanned(known.user, context.now())) throw failure('user_banned');
  const now = context.now();
  const isNew = known.outcome === 'link';
  await run(tx, [isNew ? addIdentity(known.user.id, identity, now) : updateIdentity(identity, now)]);
  const since = isNew ? 'linked now' : 'before';
  const { challenge } = arrival;
  return enter(tx, context, request, { ...known, identity, email, since, challenge });
}

/** Adds an identity to the account of somebody who is signed in. */
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
  // Whom their organisation lets in, it must be able to keep out.
  if (user.is_sso_user) throw failure('user_sso_managed');
  await run(tx, [addIdentity(userId, identity, now)]);
  return user;
}

/** What is kept of a profile. Throws `validation_failed` where the provider's name for somebody cannot be kept. */
export function identityOf(
  { provider, profile }: Pick<Arrival, 'provider' | 'profile'>,
  email: ProfileEmail | undefined = candidateEmail(profile.emails),
): ProviderIdentity {
  const { subject } = profile;
  if (subject.length > MAX_SUBJECT_LENGTH || subject.includes('\0') || !subject.isWellFormed()) {
    throw failure('validation_failed', { message: "The provider's name for the user cannot be used" });
  }
  const address = { email: email?.address };
  const verified = { email_verified: email?.isVerified ?? false, phone_verified: false };
  return {
    provider,
    providerId: subject,
    data: { ...keptClaims(profile), ...address, ...verified },
  };
}

/**
 * Of somebody with more claims than a token can carry, e.g. all groups of a company, or with some that PostgreSQL cannot
 * store, only who they are.
 */
function keptClaims({ claims, subject }: Profile): IdentityData {
  const json = JSON.stringify(claims);
  if (Buffer.byteLength(json) <= MAX_CLAIMS_BYTES && !UNSTORABLE.test(json)) return claims;
  const { iss, name, full_name } = claims;
  return { iss, sub: subject, provider_id: subject, name: shortened(name), full_name: shortened(full_name) };
}

function shortened(name: unknown): unknown {
  if (typeof name !== 'string') return undefined;
  return name.replaceAll('\0', '').slice(0, MAX_NAME_LENGTH).toWellFormed();
}

async function findAccount(
  tx: Transaction,
  { provider, profile, audience }: Arrival,
): Promise<KnownAccount | undefined> {
  const [owner] = await tx.query<UserRow>(findIdentityOwner(provider, profile.subject));
  const proven = provenAddresses(profile.emails);
  if (owner !== undefined) {
    return { user: owner, outcome: 'exists', isProven: await isProven(tx, owner, proven) };
  }
  const accounts = await tx.query<AccountWithAddress>(findAccountsByEmail(proven, audience));
  const decision = decideLinking(profile.emails, undefined, accounts, false);
  if (decision.outcome === 'ambiguous') {
    throw failure('unexpected_failure', { message: 'Multiple accounts with the same email address' });
  }
  if (decision.outcome !== 'link') return undefined;
  const [user] = await tx.query<UserRow>(findUserById(decision.userId));
  return user && { user, outcome: 'link', isProven: await isProven(tx, user, proven) };
}

/**
 * Whether this profile is no first proof of the account's address: because the address was proven before, or because the
 * profile does not prove it.
 */
async function isProven(tx: Transaction, user: UserRow, addresses: readonly string[]): Promise<boolean> {
  if (addresses.length === 0) return true;
  const [found] = await tx.query<{ is_proven: boolean }>(findProvenAmong(user.id, addresses));
  return found?.is_proven === true || !addresses.includes(user.email?.toLowerCase() ?? '');
}

/** An account that is there. `isProven`: not only claims to have the address that it was found by. */
interface KnownAccount {
  user: UserRow;
  outcome: 'exists' | 'link';
  isProven: boolean;
}

async function welcome(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { provider, profile, audience, approved, challenge }: Arrival,
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
  await run(tx, [insertUser(planned, now), addIdentity(planned.id, identity, now)]);
  const [user] = await tx.query<UserRow>(findUserById(planned.id));
  if (user === undefined) throw failure('unexpected_failure', { message: 'Database error saving new user' });
  const admission = await enter(tx, context, request, {
    user,
    identity,
    email,
    since: 'made now',
    isProven: true,
    challenge,
  });
  return { ...admission, isNew: true };
}

/** Somebody with an account, who comes in with an identity that is theirs by now. */
interface Entry {
  user: UserRow;
  identity: ProviderIdentity;
  /** That the account is known by at the provider. */
  email: ProfileEmail | undefined;
  /** Whether the account or its identity was made just now. */
  since: 'before' | 'linked now' | 'made now';
  isProven: boolean;
  challenge: Challenge | undefined;
}

/**
 * An account that was confirmed before is theirs; another one has to be confirmed now. A phone number that was confirmed
 * says nothing of an address that was not.
 */
async function enter(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  entry: Entry,
): Promise<Admission> {
  const { user, identity, email, since, isProven } = entry;
  const { provider } = identity;
  const now = context.now();
  if (user.confirmed_at !== null && isProven) {
    const steps = [
      mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
      refreshProviders(user.id),
      ...(since === 'linked now' ? await tellIdentityLinked(context, user, provider) : []),
    ];
    return { user, audit: auditEntry(user, 'login', { provider }), outcome: 'admitted', steps };
  }
  // Without a verified address of the account, a profile is no proof: see isProven.
  if (user.email_confirmed_at !== null && !isProven) return enterByFirstProof(tx, context, request, entry);
  const isOwn = email !== undefined && email.address === user.email?.toLowerCase();
  const confirms = isOwn && (email.isVerified || context.config.autoconfirm.email);
  const mayBeTrap = since === 'linked now' || (since === 'before' && confirms);
  const owner = mayBeTrap ? await disarm(tx, user, identity, now) : user;
  if (!confirms) return enterUnconfirmed(context, request, owner, entry);
  const proof = email.isVerified ? [proveAddress(owner.id, 'email', now)] : [];
  return {
    user: owner,
    audit: auditEntry(owner, 'user_signedup', { provider }),
    outcome: 'admitted',
    steps: [wipeTokens(owner.id, now), confirmUser(owner.id, 'email', now), ...proof],
  };
}

/**
 * The provider vouches for the address of an account that was confirmed without a proof: it ends the access of whoever
 * signed up with the address, unless the request comes from the account's own session.
 */
async function enterByFirstProof(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  { user, identity, since }: Entry,
): Promise<Admission> {
  const { provider, providerId } = identity;
  const now = context.now();
  const isHolder = await holdsSession(tx, context, request, user.id);
  const kept = { identity: { provider, providerId } };
  if (!isHolder) await run(tx, [...lockForEnding(user.id), ...endOtherAccess(user.id, 'email', kept, now)]);
  const steps = [
    proveAddress(user.id, 'email', now),
    mergeMetadata(user.id, 'raw_user_meta_data', identity.data, now),
    refreshProviders(user.id),
    ...(isHolder ? [] : auditEnding(context, request, user, 'email')),
    ...(since === 'linked now' ? await tellIdentityLinked(context, user, provider) : []),
  ];
  const owner = isHolder
    ? user
    : { ...user, encrypted_password: null, phone: null, phone_confirmed_at: null };
  return { user: owner, audit: auditEntry(owner, 'login', { provider }), outcome: 'admitted', steps };
}

/** Leaves nothing to somebody else who may have prepared the account before its owner came. */
export async function disarm(
  tx: Transaction,
  user: UserRow,
  identity: ProviderIdentity,
  now: Date,
): Promise<UserRow> {
  await run(tx, [
    ...lockForEnding(user.id),
    ...dropUnconfirmed(user.id, identity, now),
    refreshProviders(user.id),
  ]);
  return { ...user, encrypted_password: null, phone: null, phone_confirmed_at: null };
}

/** Where there is an address to be confirmed, its owner is sent a mail, and comes in by that. */
async function enterUnconfirmed(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  { identity: { provider }, challenge }: Pick<Entry, 'identity' | 'challenge'>,
): Promise<Admission> {
  if (!user.email || context.config.externalProviders.unverifiedSignIns) {
    const audit = auditEntry(user, 'login', { provider });
    return { user, audit, outcome: 'admitted', steps: [] };
  }
  const isSent = wasSentLately(user.confirmation_sent_at, 'email', context);
  const steps = isSent ? [] : await planConfirmation(context, request, user, challenge);
  // The mail that was sent before leads to whoever has come last.
  if (isSent && challenge) steps.push(...mailFlow('signup', user.id, challenge, context.now()));
  const audit = auditEntry(user, 'user_confirmation_requested', { provider });
  return { user, audit, outcome: 'needs verification', steps };
}

/** A mail whose link signs in as the flow would have: under PKCE with a code for the client that has begun it. */
export async function planConfirmation(
  context: AuthContext,
  request: AuthRequest,
  user: UserRow,
  challenge: Challenge | undefined,
): Promise<Step[]> {
  countRequested(context, request, { channel: 'email', recipient: user.email ?? '' });
  const order = { user, purpose: 'signup', isPkce: challenge !== undefined } as const;
  const { steps } = await planMail(context, request, order);
  return challenge ? [...steps, ...mailFlow('signup', user.id, challenge, context.now())] : steps;
}

async function run(tx: Transaction, statements: readonly Statement[]): Promise<void> {
  for (const statement of statements) await tx.query(statement);
}
