/** Statements that find, create and change SSO accounts. */
import type { Statement } from '@greenroom/postgres';
import { NIL_UUID } from '../../user/find.ts';
import { userColumns } from '../../user/user.ts';
import type { Subject } from './attributes.ts';

/**
 * Finds an account by the provider's id of the user, otherwise by email address at the same provider, in case
 * the provider has changed its ids. `is_known` is true if the id matched.
 */
export function findAccount(provider: string, subjectId: string, email: string): Statement {
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

/** The parts of a new account that do not come from its provider. */
interface NewSsoUser {
  id: string;
  audience: string;
  role: string;
  /** `sso:<id>` */
  provider: string;
}

/** Inserts a user whose organisation has confirmed the address. Other accounts may have the same address. */
export function insertSsoUser(
  { id, audience, role, provider }: NewSsoUser,
  { email, data }: Subject,
  now: Date,
): Statement {
  const appMetadata = JSON.stringify({ provider, providers: [provider] });
  return {
    name: 'auth_insert_sso_user',
    text: `insert into auth.users (
        instance_id, id, aud, role, email, email_confirmed_at, is_sso_user, raw_app_meta_data, raw_user_meta_data,
        created_at, updated_at, confirmation_token, recovery_token, email_change_token_new, email_change
      ) values ('${NIL_UUID}', $1, $2, $3, $4, $7, true, $5, $6, $7, $7, '', '', '', '')`,
    values: [id, audience, role, email, appMetadata, JSON.stringify(data), now],
  };
}

/** Sets the address that the organisation reports. */
export function updateSsoUser(id: string, { email }: Subject, now: Date): Statement {
  return {
    name: 'auth_update_sso_user',
    text: `update auth.users set
        email = $2, email_confirmed_at = coalesce(email_confirmed_at, $3), updated_at = $3
      where id = $1`,
    values: [id, email, now],
  };
}

/** Inserts an identity. Fails with a unique violation after a concurrent insert. */
export function insertIdentity(
  userId: string,
  provider: string,
  { id, data }: Subject,
  now: Date,
): Statement {
  return {
    name: 'auth_insert_sso_identity',
    text: `insert into auth.identities
        (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values ($1, $2, $3, $4, $5, $5, $5)`,
    values: [id, userId, JSON.stringify(data), provider, now],
  };
}

/** Updates an identity with the provider's current data. */
export function updateIdentity(provider: string, { id, data }: Subject, now: Date): Statement {
  return {
    name: 'auth_update_sso_identity',
    text: `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
      where provider = $1 and provider_id = $2`,
    values: [provider, id, JSON.stringify(data), now],
  };
}
