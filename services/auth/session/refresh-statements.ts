/**
 * Statements of a token refresh. A typical refresh takes two flushes: BEGIN and the locking read, then the
 * writes and COMMIT.
 */
import type { Statement } from '@greenroom/postgres';
import { NIL_UUID } from '../user/find.ts';
import { userColumns } from '../user/user.ts';
import type { LockedTokenSession } from './presented-token.ts';
import { sessionAsJson } from './session.ts';

/** A row that {@link lockRefreshToken} returns. Token ids are bigints and therefore read as text. */
export interface LockedRefreshToken extends LockedTokenSession {
  token_id: string;
  token_revoked: boolean;
  token_changed_at: Date;
  /**
   * The newest unrevoked token of the session. Null if the presented token is itself unrevoked, since it is
   * then not needed.
   */
  active: { id: string; parent: string | null } | null;
  /** The `id` for the successor's row, if one is inserted. */
  next_id: string;
  /** Whether the session switched from this token to its first signed token and has not refreshed since. */
  is_upgraded_from: boolean;
  /** Whether all columns were read from the row versions that are locked. */
  is_fresh: boolean;
}

/**
 * Locks a token and its session, and reads everything that a refresh needs. Returns no row if another request
 * holds one of the locks or the token does not exist.
 *
 * If another transaction changes a row between this statement's snapshot and the lock, PostgreSQL returns the
 * row's new version, but reads everything else from the snapshot: the token would appear revoked without a
 * successor. In that case the row versions (`xmin`) differ and `is_fresh` is false; run the statement again,
 * now that the locks are held.
 */
export function lockRefreshToken(hash: string): Statement {
  return {
    name: 'auth_lock_refresh_token',
    text: `select ${userColumns},
        t.id as token_id, t.revoked as token_revoked, t.updated_at as token_changed_at,
        ${sessionAsJson} as session,
        case when t.revoked then (
          select json_build_object('id', a.id::text, 'parent', a.parent)
          from auth.refresh_tokens a
          where a.session_id = s.id and a.revoked is false order by a.id desc limit 1) end as active,
        nextval('auth.refresh_tokens_id_seq') as next_id,
        case when t.revoked and s.refresh_token_counter = 0 then not exists (
          select from auth.refresh_tokens younger where younger.session_id = s.id and younger.id > t.id
        ) else false end as is_upgraded_from,
        (t.xmin = (select seen.xmin from auth.refresh_tokens seen where seen.id = t.id)
          and s.xmin = (select seen.xmin from auth.sessions seen where seen.id = s.id)) as is_fresh
      from auth.refresh_tokens t
      join auth.sessions s on s.id = t.session_id
      join auth.users u on u.id = s.user_id
      where t.token = $1
      for no key update of t, s skip locked`,
    values: [hash],
  };
}

/** Returns one row if the token exists, with `has_session` for whether its session does. */
export function findRefreshToken(hash: string): Statement {
  return {
    name: 'auth_find_refresh_token',
    text: `select s.id is not null as has_session
      from auth.refresh_tokens t left join auth.sessions s on s.id = t.session_id
      where t.token = $1`,
    values: [hash],
  };
}

/**
 * Locks a session and reads everything that a refresh needs. Returns no row if another request holds the lock
 * or the session does not exist. Counter and key come from the locked row, so they are always current.
 */
export function lockSession(id: string): Statement {
  return {
    name: 'auth_lock_session',
    text: `select ${userColumns}, ${sessionAsJson} as session
      from auth.sessions s join auth.users u on u.id = s.user_id
      where s.id = $1
      for no key update of s skip locked`,
    values: [id],
  };
}

/** Returns one row if the session exists. */
export function findSession(id: string): Statement {
  return {
    name: 'auth_find_session',
    text: 'select 1 from auth.sessions where id = $1',
    values: [id],
  };
}

/** Sets the counter of a session's signed tokens. @param key the new session key, encrypted; unchanged if omitted */
export function setCounter(sessionId: string, counter: number, key?: string): Statement {
  return {
    name: 'auth_set_refresh_token_counter',
    text: `update auth.sessions
      set refresh_token_counter = $2, refresh_token_hmac_key = coalesce($3, refresh_token_hmac_key) where id = $1`,
    values: [sessionId, counter, key ?? null],
  };
}

/** Locks a user and returns all their sessions; no rows if another request holds the lock. */
export function lockSessionsOfUser(userId: string): Statement {
  return {
    name: 'auth_lock_sessions_of_user',
    text: `with held as (select id from auth.users where id = $1 for no key update skip locked)
      select ${sessionAsJson} as session from auth.sessions s where s.user_id in (select id from held)`,
    values: [userId],
  };
}

/** Revokes a token that is not revoked yet. */
export function revokeToken(id: string, now: Date): Statement {
  return {
    name: 'auth_spend_refresh_token',
    text: 'update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1 and not revoked',
    values: [id, now],
  };
}

/** A successor to insert. */
interface ChildToken {
  id: string;
  hash: string;
  parentHash: string;
  sessionId: string;
  userId: string;
}

export function insertToken(child: ChildToken, now: Date): Statement {
  return {
    name: 'auth_insert_refresh_token',
    text: `insert into auth.refresh_tokens
        (instance_id, id, token, parent, session_id, user_id, revoked, created_at, updated_at)
      values ('${NIL_UUID}', $1, $2, $3, $4, $5, false, $6, $6)`,
    values: [child.id, child.hash, child.parentHash, child.sessionId, child.userId, now],
  };
}

/** The client that refreshes. */
interface RefreshClient {
  userAgent: string | null;
  ip: string | null;
  /** Whether `refreshed_at` stays unchanged. */
  isRepeat: boolean;
}

/**
 * Records a refresh on the session and the user. The user's timestamps are only informational, so a locked user
 * row is skipped: waiting for it could deadlock with a transaction that changes the user and then ends their
 * sessions.
 */
export function recordRefresh(
  sessionId: string,
  userId: string,
  { userAgent, ip, isRepeat }: RefreshClient,
  now: Date,
): Statement {
  return {
    name: 'auth_note_refresh',
    text: `with noted as (
        update auth.users set last_sign_in_at = $5, updated_at = $5
        where id = (select id from auth.users where id = $2 for no key update skip locked)
      )
      update auth.sessions
      set refreshed_at = case when $6 then refreshed_at else $5::timestamptz at time zone 'utc' end,
        updated_at = $5, user_agent = $3, ip = $4::inet
      where id = $1`,
    values: [sessionId, userId, userAgent, ip, now, isRepeat],
  };
}

export function deleteTokensOfSession(sessionId: string): Statement {
  return {
    name: 'auth_delete_tokens_of_session',
    text: 'delete from auth.refresh_tokens where session_id = $1',
    values: [sessionId],
  };
}

/** Deletes a token without a session. */
export function deleteToken(hash: string): Statement {
  return { text: 'delete from auth.refresh_tokens where token = $1', values: [hash] };
}
