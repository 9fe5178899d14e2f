/** Statements of admin changes to users. Each call sends one batch, in which sessions must precede users. */
import type { Statement } from '@greenroom/postgres';
import { revokePendingSignIns } from '../user/update.ts';

/** Columns of a user's row that an admin changes directly. Undefined keeps a value. */
interface RowChanges {
  role: string | undefined;
  aud: string | undefined;
  /** Null lifts a ban. */
  bannedUntil: Date | null | undefined;
}

export function updateUserRow(id: string, { role, aud, bannedUntil }: RowChanges, now: Date): Statement {
  return {
    name: 'auth_admin_change_row',
    text: `update auth.users set role = coalesce($2, role), aud = coalesce($3, aud),
        banned_until = case when $4 then $5::timestamptz else banned_until end, updated_at = $6
      where id = $1`,
    values: [id, role ?? null, aud ?? null, bannedUntil !== undefined, bannedUntil ?? null, now],
  };
}

/** Sets an address without confirming it. An anonymous user becomes a permanent one if `isConfirmed`. */
export function setAddress(
  id: string,
  provider: 'email' | 'phone',
  address: string,
  isConfirmed: boolean,
  now: Date,
): Statement[] {
  const data = { [provider]: address, [`${provider}_verified`]: isConfirmed };
  const rest = { sub: id, email_verified: false, phone_verified: false, ...data };
  return [
    {
      name: 'auth_admin_set_identity',
      text: `insert into auth.identities (
          provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
        ) values ($1::uuid::text, $1, $2, $3, $5, $5, $5)
        on conflict (provider_id, provider) do update set
          identity_data = identities.identity_data || $4, updated_at = $5`,
      values: [id, JSON.stringify(rest), provider, JSON.stringify(data), now],
    },
    {
      name: `auth_admin_set_${provider}`,
      text: `update auth.users set ${provider} = $2, is_anonymous = is_anonymous and not $3, updated_at = $4
        where id = $1`,
      values: [id, address, isConfirmed, now],
    },
  ];
}

/**
 * Makes an account unusable and frees its addresses, but keeps its id: replaces addresses by hashes, deletes
 * metadata, factors and passkeys. End the account's sessions first.
 */
export function softDeleteUser(id: string, now: Date): Statement[] {
  const hash = (column: string) => `encode(sha256(convert_to($1::text || ${column}, 'utf8')), 'hex')`;
  const remove = (table: string): Statement => ({
    name: `auth_soft_delete_${table}`,
    text: `delete from auth.${table} where user_id = $1`,
    values: [id],
  });
  return [
    remove('mfa_factors'),
    remove('webauthn_credentials'),
    remove('one_time_tokens'),
    remove('oauth_consents'),
    remove('proven_addresses'),
    remove('admin_links'),
    ...revokePendingSignIns(id),
    {
      name: 'auth_soft_delete_identities',
      text: `update auth.identities set provider_id = ${hash('provider_id')}, identity_data = '{}', updated_at = $2
        where user_id = $1`,
      values: [id, now],
    },
    {
      name: 'auth_soft_delete_user',
      text: `update auth.users set
          email = ${hash('email')}, phone = left(${hash('phone')}, 15),
          email_change = ${hash("nullif(email_change, '')")}, phone_change = left(${hash("nullif(phone_change, '')")}, 15),
          encrypted_password = null, confirmation_token = '', recovery_token = '', email_change_token_new = '',
          email_change_token_current = '', phone_change_token = '', reauthentication_token = '',
          raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = $2, updated_at = $2
        where id = $1`,
      values: [id, now],
    },
  ];
}
