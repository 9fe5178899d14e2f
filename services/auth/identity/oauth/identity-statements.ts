/** Statements for identities at external providers. */
import type { Statement } from '@greenroom/postgres';
import { dropUnverifiedFactors } from '../../one-time/proof/statements.ts';
import { wipeTokens } from '../../one-time/statements.ts';
import { NIL_UUID } from '../../user/find.ts';
import type { IdentityData } from '../../user/identity.ts';
import { userColumns } from '../../user/user.ts';

/** An identity at a provider. */
export interface ProviderIdentity {
  provider: string;
  /** The provider's id of the user. */
  providerId: string;
  data: IdentityData;
}

/** Returns the owner of an identity as a `UserRow`, or no row. */
export function findIdentityOwner(provider: string, providerId: string): Statement {
  return {
    name: 'auth_identity_owner',
    text: `select ${userColumns} from auth.users u
      where u.id = (select user_id from auth.identities where provider = $1 and provider_id = $2)`,
    values: [provider, providerId],
  };
}

/**
 * Finds accounts with one of the addresses, in a verified identity or as their own. Returns rows of `id` and
 * `byIdentity`. Excludes SSO accounts: only their organisation may authenticate them.
 */
export function findAccountsByEmail(emails: readonly string[], audience: string): Statement {
  return {
    name: 'auth_accounts_by_email',
    text: `select u.id, owned.verified as "byIdentity"
      from auth.users u, lateral (
        select exists (
          select from auth.identities i where i.user_id = u.id and i.email = any($1)
            and i.provider not like 'sso:%' and i.identity_data -> 'email_verified' = 'true'
        ) as verified
      ) owned
      where u.id in (
          select i.user_id from auth.identities i where i.email = any($1) and i.provider not like 'sso:%'
          union all
          select o.id from auth.users o where o.instance_id = '${NIL_UUID}' and lower(o.email) = any($1)
        )
        and u.aud = $2 and not u.is_sso_user and (owned.verified or lower(u.email) = any($1))
      limit 10`,
    values: [emails, audience],
  };
}

/** Adds an identity to a user. Fails with a unique violation if another account has it. */
export function addIdentity(userId: string, identity: ProviderIdentity, now: Date): Statement {
  return {
    name: 'auth_add_identity',
    text: `insert into auth.identities (
        provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
      ) values ($1, $2, $3, $4, $5, $5, $5)`,
    values: [identity.providerId, userId, JSON.stringify(identity.data), identity.provider, now],
  };
}

/** Updates an identity with the provider's current data. */
export function updateIdentity({ provider, providerId, data }: ProviderIdentity, now: Date): Statement {
  return {
    name: 'auth_update_identity',
    text: `update auth.identities set identity_data = $3, last_sign_in_at = $4, updated_at = $4
      where provider = $1 and provider_id = $2`,
    values: [provider, providerId, JSON.stringify(data), now],
  };
}

/** Tables with credentials and pending sign-ins of a user. */
const ACCESS_TABLES = [
  'webauthn_credentials',
  'webauthn_challenges',
  'oauth_authorizations',
  'oauth_consents',
  'flow_state',
] as const;

/**
 * Removes all access to an unconfirmed account except one identity: the account may have been created by an
 * attacker who waits for its rightful owner, with a password, a passkey, an identity or an unfinished sign-in.
 * Verified second factors stay: ownership of the address must not be enough to remove them.
 */
export function deleteUnprovenAccess(
  userId: string,
  { provider, providerId, data }: ProviderIdentity,
  now: Date,
): Statement[] {
  return [
    {
      name: 'auth_drop_unconfirmed_sessions',
      text: 'delete from auth.sessions where user_id = $1',
      values: [userId],
    },
    ...ACCESS_TABLES.map((table) => ({
      name: `auth_drop_unconfirmed_${table}`,
      text: `delete from auth.${table} where user_id = $1`,
      values: [userId],
    })),
    dropUnverifiedFactors(userId),
    {
      name: 'auth_drop_unconfirmed_links',
      text: 'delete from auth.flow_state where linking_target_id = $1',
      values: [userId],
    },
    {
      name: 'auth_drop_unconfirmed_identities',
      text: `delete from auth.identities
        where user_id = $1 and not (provider = $2 and provider_id = $3)`,
      values: [userId, provider, providerId],
    },
    {
      name: 'auth_drop_unconfirmed_credentials',
      text: `update auth.users set encrypted_password = null, phone = null, phone_confirmed_at = null,
          email_change = '', phone_change = '', is_anonymous = false, raw_user_meta_data = $2, updated_at = $3
        where id = $1`,
      values: [userId, JSON.stringify(data), now],
    },
    wipeTokens(userId, now),
  ];
}

/** Sets the email address of an account without one, unconfirmed. */
export function setUnconfirmedEmail(userId: string, email: string, now: Date): Statement {
  return {
    name: 'auth_adopt_email',
    text: `update auth.users set email = $2, updated_at = $3 where id = $1 and coalesce(email, '') = ''`,
    values: [userId, email, now],
  };
}

/** Makes an anonymous user permanent. */
export function removeAnonymity(userId: string, now: Date): Statement {
  return {
    name: 'auth_make_permanent',
    text: 'update auth.users set is_anonymous = false, updated_at = $2 where id = $1 and is_anonymous',
    values: [userId, now],
  };
}
