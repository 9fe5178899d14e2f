/** Statements for authorization requests. */
import type { Statement } from '@greenroom/postgres';
import { authorizationColumns } from './authorization.ts';
import type { AuthorizationParameters } from './authorization-parameters.ts';

interface NewAuthorization {
  id: string;
  authorizationId: string;
  clientId: string;
  redirectUri: string;
  parameters: AuthorizationParameters;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Inserts a request. As requests need no authentication, each insert also deletes up to 100 that have been
 * undecided for a day after their expiry.
 */
export function insertAuthorization(request: NewAuthorization): Statement {
  const { parameters } = request;
  return {
    name: 'auth_insert_oauth_authorization',
    text: `with stale as (
        delete from auth.oauth_authorizations where id in (
          select id from auth.oauth_authorizations
          where status = 'pending' and expires_at < $11::timestamptz - interval '1 day'
          order by expires_at limit 100 for update skip locked)
      )
      insert into auth.oauth_authorizations
        (id, authorization_id, client_id, redirect_uri, scope, state, resource, code_challenge, code_challenge_method,
          nonce, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    values: [
      request.id,
      request.authorizationId,
      request.clientId,
      request.redirectUri,
      parameters.scope,
      parameters.state,
      parameters.resource,
      parameters.codeChallenge,
      parameters.codeChallengeMethod,
      parameters.nonce,
      request.createdAt,
      request.expiresAt,
    ],
  };
}

/**
 * Locks a request if its application exists and still has the redirect URI registered. Returns an
 * `AuthorizationRow` with `client_name`, `client_uri` and `logo_uri`, or no row.
 */
export function lockAuthorization(authorizationId: string): Statement {
  return {
    name: 'auth_lock_oauth_authorization',
    text: `select ${authorizationColumns}, c.client_name, c.client_uri, c.logo_uri
      from auth.oauth_authorizations a join auth.oauth_clients c on c.id = a.client_id and c.deleted_at is null
      where a.authorization_id = $1 and a.redirect_uri = any(string_to_array(c.redirect_uris, ','))
      for update of a`,
    values: [authorizationId],
  };
}

/** Locks the request of a code, and prevents changes of its application. Returns an `AuthorizationRow` or no row. */
export function lockAuthorizationByCode(codeHash: string): Statement {
  return {
    name: 'auth_lock_oauth_authorization_by_code',
    text: `select ${authorizationColumns}
      from auth.oauth_authorizations a join auth.oauth_clients c on c.id = a.client_id and c.deleted_at is null
      where a.authorization_code = $1
      for update of a for share of c`,
    values: [codeHash],
  };
}

/** Assigns a request to the first user who opens it. */
export function claimAuthorization(id: string, userId: string): Statement {
  return {
    name: 'auth_claim_oauth_authorization',
    text: 'update auth.oauth_authorizations set user_id = $2 where id = $1',
    values: [id, userId],
  };
}

/** Closes a request that was denied or has expired, or whose code was exchanged. */
export function closeAuthorization(id: string, status: 'denied' | 'expired'): Statement {
  return {
    name: 'auth_close_oauth_authorization',
    text: 'update auth.oauth_authorizations set status = $2 where id = $1',
    values: [id, status],
  };
}

interface Approval {
  userId: string;
  codeHash: string;
  now: Date;
  expiresAt: Date;
}

/** Approves a request and stores the hash of its code. */
export function approveAuthorization(id: string, { userId, codeHash, now, expiresAt }: Approval): Statement {
  return {
    name: 'auth_approve_oauth_authorization',
    text: `update auth.oauth_authorizations
      set status = 'approved', user_id = $2, authorization_code = $3, approved_at = $4, expires_at = $5 where id = $1`,
    values: [id, userId, codeHash, now, expiresAt],
  };
}

/** Deletes decided requests one day after their expiry. Until then, reuse of their code is detected. */
export function deleteOldAuthorizations(now: Date): Statement {
  return {
    name: 'auth_delete_old_oauth_authorizations',
    text: `delete from auth.oauth_authorizations where id in (
        select id from auth.oauth_authorizations
        where status <> 'pending' and expires_at < $1::timestamptz - interval '1 day' limit 100 for update skip locked)`,
    values: [now],
  };
}

/** Revokes codes that an application has not exchanged yet. */
export function revokeCodes(userId: string, clientId: string): Statement {
  return {
    name: 'auth_withdraw_oauth_codes',
    text: `update auth.oauth_authorizations set status = 'denied'
      where user_id = $1 and client_id = $2 and status = 'approved'`,
    values: [userId, clientId],
  };
}

/** Ends the session opened with a code, if it was opened before `before`. */
export function endSessionOfCode(id: string, before: Date): Statement {
  return {
    name: 'auth_end_session_of_oauth_code',
    text: 'delete from auth.sessions where id = $1 and created_at < $2',
    values: [id, before],
  };
}
