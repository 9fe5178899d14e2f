/** Statements for the consents that users give to applications. */
import type { Statement } from '@greenroom/postgres';

/** An active consent, with its application. */
export interface ConsentRow {
  client_id: string;
  scopes: string;
  granted_at: Date;
  client_name: string | null;
  client_uri: string | null;
  logo_uri: string | null;
}

/**
 * Returns `scopes` of an existing consent, or no row. The lock makes a concurrent revocation wait until the
 * transaction ends, so that it also revokes the code that this consent leads to.
 */
export function lockConsent(userId: string, clientId: string): Statement {
  return {
    name: 'auth_lock_oauth_consent',
    text: `select scopes from auth.oauth_consents
      where user_id = $1 and client_id = $2 and revoked_at is null for share`,
    values: [userId, clientId],
  };
}

/** Adds scopes to a consent. */
export function grantConsent(userId: string, clientId: string, scopes: string, now: Date): Statement {
  return {
    name: 'auth_grant_oauth_consent',
    text: `insert into auth.oauth_consents as o (id, user_id, client_id, scopes, granted_at)
      values (gen_random_uuid(), $1, $2, $3, $4)
      on conflict (user_id, client_id) do update set
        granted_at = excluded.granted_at, revoked_at = null,
        scopes = case when o.revoked_at is not null then excluded.scopes else (
          select string_agg(scope, ' ' order by first) from (
            select scope, min(place) as first
            from unnest(string_to_array(o.scopes || ' ' || excluded.scopes, ' ')) with ordinality as all_of (scope, place)
            group by scope
          ) once
        ) end`,
    values: [userId, clientId, scopes, now],
  };
}

/** Returns one row, or none without an active consent. */
export function revokeConsent(userId: string, clientId: string, now: Date): Statement {
  return {
    name: 'auth_revoke_oauth_consent',
    text: `update auth.oauth_consents set revoked_at = greatest($3, granted_at)
      where user_id = $1 and client_id = $2 and revoked_at is null returning id`,
    values: [userId, clientId, now],
  };
}

/** Ends a user's sessions of an application. */
export function endSessionsOfGrant(userId: string, clientId: string): Statement {
  return {
    name: 'auth_end_sessions_of_oauth_grant',
    text: 'delete from auth.sessions where user_id = $1 and oauth_client_id = $2',
    values: [userId, clientId],
  };
}

/** Returns {@link ConsentRow}, newest first. */
export function findConsents(userId: string): Statement {
  return {
    name: 'auth_oauth_consents',
    text: `select o.client_id, o.scopes, o.granted_at, c.client_name, c.client_uri, c.logo_uri
      from auth.oauth_consents o join auth.oauth_clients c on c.id = o.client_id and c.deleted_at is null
      where o.user_id = $1 and o.revoked_at is null order by o.granted_at desc, o.client_id`,
    values: [userId],
  };
}
