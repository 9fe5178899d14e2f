/**
 * Statements for proven addresses. An address is proven once its owner has shown access to the mailbox or phone.
 * `email_confirmed_at` is not enough, because autoconfirm sets it for every sign-up.
 */
import type { Statement } from '@greenroom/postgres';
import { wipeTokens } from '../statements.ts';
import type { TokenKind } from '../token-kind.ts';

/** Kind of an address. */
export type AddressKind = 'email' | 'phone';

/**
 * SQL condition: the identity's provider has verified the address. Identities of this service do not count, because
 * they only follow the state of the account.
 */
const isVerifiedByProvider = `i.provider not in ('email', 'phone') and i.provider not like 'sso:%'
  and i.identity_data -> 'email_verified' = 'true'`;

/** Marks the current address of an account as proven. */
export function proveAddress(userId: string, kind: AddressKind, now: Date): Statement {
  return {
    name: `auth_prove_${kind}`,
    text: `insert into auth.proven_addresses (user_id, kind, address, proven_at)
      select id, '${kind}', lower(${kind}), $2 from auth.users where id = $1 and ${kind} <> ''
      on conflict (user_id, kind) do update set address = excluded.address, proven_at = excluded.proven_at
      where proven_addresses.address <> excluded.address`,
    values: [userId, now],
  };
}

/** The state of an account before an address is proven. */
export interface ProofState {
  is_proven: boolean;
  /** Whether the account's current token of this kind was created for an administrator to deliver. */
  is_admin_link: boolean;
  /** Whether the account can be accessed without this address. */
  has_other_access: boolean;
}

/**
 * Reads the {@link ProofState} of an account's address.
 * @param token the kind of the presented token; null: none
 */
export function findProofState(userId: string, kind: AddressKind, token: TokenKind | null): Statement {
  return {
    name: `auth_proof_state_${kind}`,
    text: `select exists (
          select from auth.proven_addresses p
          where p.user_id = u.id and p.kind = '${kind}' and p.address = lower(u.${kind})
        ) or ${kind === 'email' ? `exists (select from auth.identities i where i.user_id = u.id and i.email = lower(u.email) and ${isVerifiedByProvider})` : 'false'}
          as is_proven,
        exists (
          select from auth.admin_links l join auth.one_time_tokens t using (user_id, token_type, token_hash)
          where l.user_id = u.id and l.token_type::text = $2
        ) as is_admin_link,
        coalesce(u.encrypted_password, '') <> ''
          or exists (select from auth.sessions s where s.user_id = u.id)
          or exists (select from auth.webauthn_credentials c where c.user_id = u.id)
          or exists (select from auth.oauth_consents c where c.user_id = u.id)
          or exists (select from auth.identities i where i.user_id = u.id and i.provider <> '${kind}')
          as has_other_access
      from auth.users u where u.id = $1`,
    values: [userId, token],
  };
}

/** Whether at least one of these email addresses is proven for an account. Returns one row with `is_proven`. */
export function findProvenAmong(userId: string, addresses: readonly string[]): Statement {
  return {
    name: 'auth_proven_among',
    text: `select exists (
          select from auth.proven_addresses p where p.user_id = $1 and p.kind = 'email' and p.address = any($2)
        ) or exists (
          select from auth.identities i where i.user_id = $1 and i.email = any($2) and ${isVerifiedByProvider}
        ) as is_proven`,
    values: [userId, addresses],
  };
}

/** Whether each address of an account is proven. */
export type ProvenAddresses = Record<AddressKind, boolean>;

/** Reads the {@link ProvenAddresses} of an account. Returns one row, or none if there is no account. */
export function findProvenAddresses(userId: string): Statement {
  const marked = (kind: AddressKind) => `exists (
    select from auth.proven_addresses p where p.user_id = u.id and p.kind = '${kind}' and p.address = lower(u.${kind})
  )`;
  return {
    name: 'auth_proven_addresses',
    text: `select ${marked('phone')} as phone, ${marked('email')} or exists (
        select from auth.identities i where i.user_id = u.id and i.email = lower(u.email) and ${isVerifiedByProvider}
      ) as email
      from auth.users u where u.id = $1`,
    values: [userId],
  };
}

/** Marks the account's token of this kind as one that an administrator delivers. */
export function recordAdminLink(userId: string, kind: TokenKind): Statement {
  return {
    name: 'auth_note_admin_link',
    text: `insert into auth.admin_links (user_id, token_type, token_hash)
      select user_id, token_type, token_hash from auth.one_time_tokens
      where user_id = $1 and token_type::text = $2
      on conflict (user_id, token_type) do update set token_hash = excluded.token_hash`,
    values: [userId, kind],
  };
}

/** Access that a revocation keeps. */
interface RetainedAccess {
  /** Hash of the authorization code that this proof issued, if any. */
  authCodeHash?: string | undefined;
  /** The identity that proves the address. */
  identity?: { provider: string; providerId: string };
}

const GRANTS = [
  'sessions',
  'webauthn_credentials',
  'webauthn_challenges',
  'oauth_authorizations',
  'oauth_consents',
] as const;

/** Deletes unverified factors. Verified ones stay: access to a mailbox must not remove a second factor. */
export function dropUnverifiedFactors(userId: string): Statement {
  return {
    name: 'auth_drop_unverified_factors',
    text: `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'`,
    values: [userId],
  };
}

/**
 * Revokes all access to an account except by the address that is proven now. An attacker may have created the account
 * and waited for the owner of the address. Identities with that address and verified second factors stay. A proven
 * email address removes the phone number; an email address stays if it is proven itself.
 */
export function revokeOtherAccess(
  userId: string,
  kind: AddressKind,
  retained: RetainedAccess,
  now: Date,
): Statement[] {
  return [
    ...GRANTS.map((table) => ({
      name: `auth_end_other_${table}`,
      text: `delete from auth.${table} where user_id = $1`,
      values: [userId],
    })),
    dropUnverifiedFactors(userId),
    {
      name: 'auth_end_other_flows',
      text: `delete from auth.flow_state
        where linking_target_id = $1 or (user_id = $1 and auth_code is distinct from $2)`,
      values: [userId, retained.authCodeHash ?? null],
    },
    kind === 'email' ? revokeNonEmailAccess(userId, now) : revokeNonPhoneAccess(userId, now),
    {
      name: 'auth_end_other_identities',
      text: `delete from auth.identities i using auth.users u
        where u.id = $1 and i.user_id = u.id and not (i.provider = $2 and i.provider_id = $3)
          and case i.provider
            when 'phone' then coalesce(u.phone, '') = ''
            when 'email' then i.email is distinct from lower(u.email)
            else i.email is distinct from lower(u.email) or not (${isVerifiedByProvider}) end`,
      values: [userId, retained.identity?.provider ?? '', retained.identity?.providerId ?? ''],
    },
    wipeTokens(userId, now),
  ];
}

function revokeNonEmailAccess(userId: string, now: Date): Statement {
  return {
    name: 'auth_end_access_beside_email',
    text: `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null,
        email_change = '', phone_change = '', is_anonymous = false, updated_at = $2
      where id = $1`,
    values: [userId, now],
  };
}

function revokeNonPhoneAccess(userId: string, now: Date): Statement {
  return {
    name: 'auth_end_access_beside_phone',
    text: `update auth.users u set encrypted_password = null,
        email = case when held.is_proven then u.email end,
        email_confirmed_at = case when held.is_proven then u.email_confirmed_at end,
        email_change = '', phone_change = '', is_anonymous = false, updated_at = $2
      from (
        select exists (
          select from auth.proven_addresses p join auth.users o on o.id = p.user_id
          where p.user_id = $1 and p.kind = 'email' and p.address = lower(o.email)
        ) as is_proven
      ) held
      where u.id = $1`,
    values: [userId, now],
  };
}
