/** Statements about requests of applications. */
import type { Statement } from '@greenroom/postgres';
import { authorizationColumns } from './authorization.ts';
import type { AuthorizationParameters } from './authorization-parameters.ts';

/** A new request. */
interface NewAuthorization {
  id: string;
  ticket: string;
  clientId: string;
  redirectUri: string;
  parameters: AuthorizationParameters;
  createdAt: Date;
  expiresAt: Date;
}

/** Anybody can make a request, so each takes some of those away that nobody has answered for a day. */
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
      request.ticket,
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
 * Locks a request whose application is still there and still has its address; answers an `AuthorizationRow` with
 * `client_name`, `client_uri` and `logo_uri`, or nothing.
 */
export function lockAuthorization(ticket: string): Statement {
  return {
    name: 'auth_lock_oauth_authorization',
    text: `select ${authorizationColumns}, c.client_name, c.client_uri, c.logo_uri
      from auth.oauth_authorizations a join auth.oauth_clients c on c.id = a.client_id and c.deleted_at is null
      where a.authorization_id = $1 and a.redirect_uri = any(string_to_array(c.redirect_uris, ','))
      for update of a`,
    values: [ticket],
  };
}

/** Locks the request that a code is for, and keeps its application; answers an `AuthorizationRow` or nothing. */
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

/** Notes who has opened a request. */
export function claimAuthorization(id: string, userId: string): Statement {
  return {
    name: 'auth_claim_oauth_authorization',
    text: 'update auth.oauth_authorizations set user_id = $2 where id = $1',
    values: [id, userId],
  };
}

/** Ends a request without a code, or one whose code was used. */
export function closeAuthorization(id: string, status: 'denied' | 'expired'): Statement {
  return {
    name: 'auth_close_oauth_authorization',
    text: 'update auth.oauth_authorizations set status = $2 where id = $1',
    values: [id, status],
  };
}

/** What a request gets when it is approved. */
interface Approval {
  userId: string;
  codeHash: string;
  now: Date;
  expiresAt: Date;
}

/** Gives a request its code. */
export function approveAuthorization(id: string, { userId, codeHash, now, expiresAt }: Approval): Statement {
  return {
    name: 'auth_approve_oauth_authorization',
    text: `update auth.oauth_authorizations
      set status = 'approved', user_id = $2, authorization_code = $3, approved_at = $4, expires_at = $5 where id = $1`,
    values: [id, userId, codeHash, now, expiresAt],
  };
}

/** Takes answered requests away that are over for a day: until then a code that comes again is known. */
export function deleteOldAuthorizations(now: Date): Statement {
  return {
    name: 'auth_delete_old_oauth_authorizations',
    text: `delete from auth.oauth_authorizations where id in (
        select id from auth.oauth_authorizations
        where status <> 'pending' and expires_at < $1::timestamptz - interval '1 day' limit 100 for update skip locked)`,
    values: [now],
  };
}

/** Takes back codes that an application has not exchanged yet. */
export function withdrawCodes(userId: string, clientId: string): Statement {
  return {
    name: 'auth_withdraw_oauth_codes',
    text: `update auth.oauth_authorizations set status = 'denied'
      where user_id = $1 and client_id = $2 and status = 'approved'`,
    values: [userId, clientId],
  };
}

/** Ends the session that a code has given before `before`. */
export function endSessionOfCode(id: string, before: Date): Statement {
  return {
    name: 'auth_end_session_of_oauth_code',
    text: 'delete from auth.sessions where id = $1 and created_at < $2',
    values: [id, before],
  };
}
