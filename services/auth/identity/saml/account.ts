/**
 * Determines the account of an SSO sign-in. An SSO account belongs to exactly one provider: accounts with the
 * same address, but a password or another provider, are never matched.
 */
import { randomUUID } from 'node:crypto';
import type { Statement, Transaction } from '@greenroom/postgres';
import { type AuditActor, type AuditEntry, auditEntry } from '../../audit/entry.ts';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { type ApprovalRequired, needsApproval } from '../../hooks/approval.ts';
import { audienceOf } from '../../user/audience.ts';
import type { NewUser } from '../../user/insert.ts';
import { requireMetadataSize } from '../../user/metadata.ts';
import { mergeMetadata, refreshProviders } from '../../user/update.ts';
import type { UserRow } from '../../user/user.ts';
import {
  findAccount,
  insertIdentity,
  insertSsoUser,
  updateIdentity,
  updateSsoUser,
} from './account-statements.ts';
import { providerName } from './provider.ts';
import type { VerifiedSignIn } from './verified-sign-in.ts';

/** An account, and the statements that create or update it. */
export interface Account extends AuditActor {
  encrypted_password: string | null;
  banned_until: Date | null;
  statements: Statement[];
  /** Whether the statements create the account. */
  isNew: boolean;
  /** Audit entries in addition to the sign-in. */
  audit: AuditEntry[];
}

/**
 * Finds the account or plans a new one. Throws `signup_disabled` and `validation_failed`.
 * @param approved the account to create if none exists, once a hook has approved it
 */
export async function planAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
  approved: NewUser | undefined,
): Promise<Account | ApprovalRequired> {
  const { provider, subject } = signIn;
  const name = providerName(provider);
  const [user] = await tx.query<UserRow & { is_known: boolean }>(
    findAccount(name, subject.id, subject.email),
  );
  if (user !== undefined) return existingAccount(context, signIn, user);
  if (context.config.disableSignup) throw failure('signup_disabled');
  return newAccount(context, request, signIn, approved);
}

/** The provider's current data replaces the stored data. */
function existingAccount(
  { now }: AuthContext,
  { provider, subject }: VerifiedSignIn,
  user: UserRow & { is_known: boolean },
): Account {
  const name = providerName(provider);
  const metadata = { ...user.raw_user_meta_data, ...subject.data };
  requireMetadataSize(metadata);
  return {
    ...user,
    raw_user_meta_data: metadata,
    isNew: false,
    audit: [],
    statements: [
      user.is_known ? updateIdentity(name, subject, now()) : insertIdentity(user.id, name, subject, now()),
      updateSsoUser(user.id, subject, now()),
      mergeMetadata(user.id, 'raw_user_meta_data', subject.data, now()),
      refreshProviders(user.id),
    ],
  };
}

function newAccount(
  context: AuthContext,
  request: AuthRequest,
  { provider, subject }: VerifiedSignIn,
  approved: NewUser | undefined,
): Account | ApprovalRequired {
  const { config, now } = context;
  const name = providerName(provider);
  requireMetadataSize(subject.data);
  const planned: NewUser = {
    id: approved?.id ?? randomUUID(),
    aud: audienceOf(request, config),
    role: config.jwt.defaultRole,
    email: subject.email,
    phone: null,
    passwordHash: null,
    appMetadata: { provider: name, providers: [name] },
    userMetadata: subject.data,
    isAnonymous: false,
  };
  if (needsApproval(context, approved)) return { approvalFor: planned };
  const actor = { id: planned.id, email: subject.email, phone: null, is_sso_user: true };
  const user = { ...actor, raw_user_meta_data: subject.data };
  return {
    ...user,
    encrypted_password: null,
    banned_until: null,
    isNew: true,
    audit: [auditEntry(user, 'user_signedup', { provider: name })],
    statements: [
      insertSsoUser(
        { id: planned.id, audience: planned.aud, role: planned.role, provider: name },
        subject,
        now(),
      ),
      insertIdentity(user.id, name, subject, now()),
    ],
  };
}
