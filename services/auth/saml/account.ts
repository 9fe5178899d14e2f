/**
 * Whose account a single sign-on is for. Accounts of single sign-on belong to one provider each: an address that somebody
 * has elsewhere, with a password or at another provider, never leads to their account.
 */
import { randomUUID } from 'node:crypto';
import type { Statement, Transaction } from '@greenroom/postgres';
import { audienceOf } from '../audience.ts';
import { type AuditActor, type AuditEntry, auditEntry } from '../audit.ts';
import type { AuthContext, AuthRequest } from '../endpoint.ts';
import { failure } from '../errors.ts';
import { requireFitsToken } from '../metadata.ts';
import { NIL_UUID } from '../user/find.ts';
import { mergeMetadata, refreshProviders } from '../user/update.ts';
import { type UserRow, userColumns } from '../user.ts';
import type { VerifiedSignIn } from './finish.ts';
import { providerName } from './provider.ts';

/** An account, and what has to be written for it. */
export interface Account extends AuditActor {
  encrypted_password: string | null;
  banned_until: Date | null;
  statements: Statement[];
  /** What is noted besides the sign-in itself. */
  audit: AuditEntry[];
}

/** Finds the account, or plans a new one. Throws `signup_disabled`, `validation_failed`. */
export async function planAccount(
  tx: Transaction,
  context: AuthContext,
  request: AuthRequest,
  signIn: VerifiedSignIn,
): Promise<Account> {
  const { provider, subject } = signIn;
  const name = providerName(provider);
  const [user] = await tx.query<UserRow & { is_known: boolean }>(
    findAccount(name, subject.id, subject.email),
  );
  if (user !== undefined) return knownAccount(context, signIn, user);
  if (context.config.disableSignup) throw failure('signup_disabled');
  return newAccount(context, request, signIn);
}

/**
 * By the provider's name for somebody; else by their address at the same provider, which may have changed its names.
 * `is_known` says which.
 */
function findAccount(provider: string, subjectId: string, email: string): Statement {
  return {
    name: 'auth_sso_account',
    text: `with known as (
        select user_id from auth.identities where provider = $1 and provider_id = $2
      ), alike as (
        select min(user_id::text)::uuid as user_id from auth.identities
        where provider = $1 and email = $3 having count(distinct user_id) = 1
      )
      select ${userColumns}, exists (select from known) as is_known from auth.users u
      where u.id = coalesce((select user_id from known), (select user_id from alike))`,
    values: [provider, subjectId, email],
  };
}

/** What the provider says now is what counts. */
function knownAccount(
  { now }: AuthContext,
  { provider, subject }: VerifiedSignIn,
  user: UserRow & { is_known: boolean },
): Account {
  const name = providerName(provider);
  const metadata = { ...user.raw_user_meta_data, ...subject.data };
  requireFitsToken(metadata);
  return {
    ...user,
    raw_user_meta_data: metadata,
    audit: [],
    statements: [
      user.is_known ? updateIdentity(name, subject, now()) : insertIdentity(user.id, name, subject, now()),
      {
        name: 'auth_update_sso_user',
        text: `update auth.users set email = $2, email_confirmed_at = coalesce(email_confirmed_at, $3), updated_at = $3
          where id = $1`,
        values: [user.id, subject.email, now()],
      },
      mergeMetadata(user.id, 'raw_user_meta_data', subject.data, now()),
      refreshProviders(user.id),
    ],
  };
}

function newAccount(
  { config, now }: AuthContext,
  request: AuthRequest,
  { provider, subject }: VerifiedSignIn,
): Account {
  const name = providerName(provider);
  requireFitsToken(subject.data);
  const actor = { id: randomUUID(), email: subject.email, phone: null, is_sso_user: true };
  const user = { ...actor, raw_user_meta_data: subject.data };
  const appMetadata = { provider: name, providers: [name] };
  return {
    ...user,
    encrypted_password: null,
    banned_until: null,
    audit: [auditEntry(user, 'user_signedup', { provider: name })],
    statements: [
      {
        name: 'auth_insert_sso_user',
        text: `insert into auth.users (
            instance_id, id, aud, role, email, email_confirmed_at, is_sso_user, raw_app_meta_data, raw_user_meta_data,
            created_at, updated_at, confirmation_token, recovery_token, email_change_token_new, email_change
          ) values ('${NIL_UUID}', $1, $2, $3, $4, $7, true, $5, $6, $7, $7, '', '', '', '')`,
        values: [
          user.id,
          audienceOf(request, config),
          config.jwt.defaultRole,
          subject.email,
          JSON.stringify(appMetadata),
          JSON.stringify(subject.data),
          now(),
        ],
      },
      insertIdentity(user.id, name, subject, now()),
    ],
  };
}

type Vouched = VerifiedSignIn['subject'];

/** Fails where somebody was faster. */
function insertIdentity(userId: string, provider: string, { id, data }: Vouched, now: Date): Statement {
  return {
    name: 'auth_insert_sso_identity',
    text: `insert into auth.identities
        (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5, $5)`,
    values: [id, userId, JSON.stringify(data), provider, now],
  };
}

function updateIdentity(provider: string, { id, data }: Vouched, now: Date): Statement {
  return {
    name: 'auth_update_sso_identity',
    text: `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
      where provider = $1 and provider_id = $2`,
    values: [provider, id, JSON.stringify(data), now],
  };
}
