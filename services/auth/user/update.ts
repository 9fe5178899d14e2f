/**
 * Statements that change a user, one per kind of change, designed for batches. A batch that changes sessions
 * and users must change the sessions first: every transaction locks them in that order, which prevents
 * deadlocks.
 */
import type { Statement } from '@greenroom/postgres';
import type { IdentityData } from './identity.ts';
import type { Metadata } from './metadata.ts';

/** Confirms the user's email address or phone number. */
export function confirmUser(id: string, provider: 'email' | 'phone', now: Date): Statement {
  return {
    name: 'auth_confirm_user',
    text: `update auth.users set
        confirmation_token = '',
        email_confirmed_at = case when $2 = 'email' then $3 else email_confirmed_at end,
        phone_confirmed_at = case when $2 = 'phone' then $3 else phone_confirmed_at end,
        raw_user_meta_data = case when $2 = 'email'
          then coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}' else raw_user_meta_data end,
        updated_at = $3
      where id = $1`,
    values: [id, provider, now],
  };
}

/** Marks the address as verified in the identities that have the user's own address. */
export function verifyIdentities(id: string, provider: 'email' | 'phone', now: Date): Statement {
  const owns = provider === 'email' ? 'i.email = lower(u.email)' : `i.provider = 'phone'`;
  return {
    name: `auth_verify_identities_${provider}`,
    text: `update auth.identities i
      set identity_data = i.identity_data || '{"${provider}_verified": true}', updated_at = $2
      from auth.users u where u.id = $1 and i.user_id = u.id and ${owns}`,
    values: [id, now],
  };
}

/** Takes a first identity's data over as user metadata and records its provider in the app metadata. */
export function adoptIdentity(id: string, metadata: Metadata, provider: string, now: Date): Statement {
  return {
    name: 'auth_adopt_identity',
    text: `update auth.users set
        raw_user_meta_data = $2,
        raw_app_meta_data = coalesce(raw_app_meta_data, '{}') || $3,
        updated_at = $4
      where id = $1`,
    values: [id, JSON.stringify(metadata), JSON.stringify({ provider, providers: [provider] }), now],
  };
}

/**
 * Merges metadata at the top level; a null removes its key. The merge runs in SQL so that concurrent changes
 * are not lost.
 */
export function mergeMetadata(
  id: string,
  column: 'raw_user_meta_data' | 'raw_app_meta_data',
  changes: Metadata,
  now: Date,
): Statement {
  const entries = Object.entries(changes);
  const metadata = Object.fromEntries(entries.filter(([, value]) => value !== null));
  const removed = entries.flatMap(([key, value]) => (value === null ? [key] : []));
  return {
    name: `auth_merge_${column}`,
    text: `update auth.users set
        ${column} = (coalesce(${column}, '{}') || $2) - $3::text[], updated_at = $4
      where id = $1`,
    values: [id, JSON.stringify(metadata), removed, now],
  };
}

/** Replaces the password and invalidates all outstanding codes and links. */
export function changePassword(id: string, passwordHash: string, now: Date): Statement[] {
  return [
    {
      name: 'auth_change_password',
      text: `update auth.users set
          encrypted_password = $2,
          confirmation_token = '', confirmation_sent_at = null,
          recovery_token = '', recovery_sent_at = null,
          email_change_token_current = '', email_change_token_new = '', email_change_sent_at = null,
          phone_change_token = '', phone_change_sent_at = null,
          reauthentication_token = '', reauthentication_sent_at = null,
          updated_at = $3
        where id = $1`,
      values: [id, passwordHash, now],
    },
    clearOneTimeTokens(id),
  ];
}

/**
 * Deletes the password of an unconfirmed account. Its author has not proven ownership of the address, and the
 * person who confirms the address may be someone else.
 */
export function deleteUnconfirmedPassword(id: string, now: Date): Statement {
  return {
    name: 'auth_forget_unconfirmed_password',
    text: `update auth.users set encrypted_password = null, updated_at = $2
      where id = $1 and confirmed_at is null and encrypted_password <> ''`,
    values: [id, now],
  };
}

/**
 * Invalidates issued codes that could still be exchanged for a session of the user, and pending sign-ins that
 * would link a provider to the account. Skips rows that a concurrent exchange has locked: that exchange then
 * fails at the user's row.
 */
export function revokePendingSignIns(id: string): Statement[] {
  return [
    {
      name: 'auth_forget_flows',
      text: `delete from auth.flow_state where id in (
        select id from auth.flow_state where user_id = $1 for update skip locked)`,
      values: [id],
    },
    {
      // Limited to one day, since no flow lasts longer and only `created_at` is indexed.
      name: 'auth_forget_links',
      text: `delete from auth.flow_state where id in (
        select id from auth.flow_state
        where linking_target_id = $1 and created_at > now() - interval '1 day' for update skip locked)`,
      values: [id],
    },
    {
      name: 'auth_forget_oauth_codes',
      text: `update auth.oauth_authorizations set status = 'denied' where id in (
        select id from auth.oauth_authorizations where user_id = $1 and status = 'approved' for update skip locked)`,
      values: [id],
    },
  ];
}

/** Stores a new hash of an unchanged password, unless the password has been changed concurrently. */
export function replaceHash(id: string, formerHash: string, passwordHash: string): Statement {
  return {
    name: 'auth_replace_hash',
    text: 'update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2',
    values: [id, formerHash, passwordHash],
  };
}

/** Records a requested email address, which takes effect once confirmed. */
export function requestEmailChange(id: string, email: string, now: Date): Statement {
  return {
    name: 'auth_request_email_change',
    text: `update auth.users set
        email_change = $2, email_change_confirm_status = 0, updated_at = $3
      where id = $1`,
    values: [id, email, now],
  };
}

/** Records a requested phone number, which takes effect once confirmed. */
export function requestPhoneChange(id: string, phone: string, now: Date): Statement {
  return {
    name: 'auth_request_phone_change',
    text: 'update auth.users set phone_change = $2, updated_at = $3 where id = $1',
    values: [id, phone, now],
  };
}

/** Sets a confirmed email address immediately. An anonymous user becomes a permanent one. */
export function changeEmail(id: string, email: string, now: Date): Statement[] {
  return [
    upsertOwnIdentity(id, 'email', { sub: id, email, email_verified: true, phone_verified: false }, now),
    {
      name: 'auth_change_email',
      text: `update auth.users set
          email = $2, email_change = '', email_change_token_current = '', email_change_token_new = '',
          email_change_confirm_status = 0, email_confirmed_at = coalesce(email_confirmed_at, $3),
          raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || '{"email_verified": true}',
          is_anonymous = false, updated_at = $3
        where id = $1`,
      values: [id, email, now],
    },
    clearOneTimeTokens(id),
    refreshProviders(id),
  ];
}

/** Sets a confirmed phone number immediately. An anonymous user becomes a permanent one. */
export function changePhone(id: string, phone: string, now: Date): Statement[] {
  return [
    upsertOwnIdentity(id, 'phone', { sub: id, phone, email_verified: false, phone_verified: true }, now),
    {
      name: 'auth_change_phone',
      text: `update auth.users set
          phone = $2, phone_change = '', phone_change_token = '', phone_confirmed_at = $3,
          is_anonymous = false, updated_at = $3
        where id = $1`,
      values: [id, phone, now],
    },
    clearOneTimeTokens(id),
    refreshProviders(id),
  ];
}

/** Invalidates all codes and links sent to a user. */
export function clearOneTimeTokens(id: string): Statement {
  return {
    name: 'auth_clear_one_time_tokens',
    text: 'delete from auth.one_time_tokens where user_id = $1',
    values: [id],
  };
}

/** Keeps the other data of an existing identity, e.g. a name. */
function upsertOwnIdentity(
  id: string,
  provider: 'email' | 'phone',
  data: IdentityData,
  now: Date,
): Statement {
  const verified = { [provider]: data[provider], [`${provider}_verified`]: true };
  return {
    name: 'auth_upsert_own_identity',
    text: `insert into auth.identities (
        provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
      ) values ($1::uuid::text, $1, $2, $3, $5, $5, $5)
      on conflict (provider_id, provider) do update set
        identity_data = identities.identity_data || $4, updated_at = $5`,
    values: [id, JSON.stringify(data), provider, JSON.stringify(verified), now],
  };
}

/** Recomputes `provider` and `providers` in the app metadata from the user's identities, oldest first. */
export function refreshProviders(id: string): Statement {
  return {
    name: 'auth_refresh_providers',
    text: `update auth.users u set raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}')
        || jsonb_build_object('provider', known.providers -> 0, 'providers', known.providers)
      from (
        select jsonb_agg(i.provider order by i.since, i.provider) as providers from (
          select provider, min(created_at) as since from auth.identities where user_id = $1 group by provider
        ) i
      ) known
      where u.id = $1 and known.providers is not null`,
    values: [id],
  };
}
