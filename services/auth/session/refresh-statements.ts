/**
 * The statements of a refresh. The usual one is two flushes: BEGIN and the locking look-up, the writes and
 * COMMIT.
 */
import type { Statement } from '@greenroom/postgres';
import { NIL_UUID } from '../user/find.ts';
import { userColumns } from '../user/user.ts';
import type { HeldSession } from './presented-token.ts';
import { sessionAsJson } from './session.ts';

/** What a refresh works on, as {@link lockRefreshToken} answers it. Ids of tokens are bigints, so texts. */
export interface HeldToken extends HeldSession {
  token_id: string;
  token_revoked: boolean;
  token_changed_at: Date;
  /** The youngest unrevoked token of the session; null where the token itself is unrevoked, and none is needed. */
  active: { id: string; parent: string | null } | null;
  /** `id` for the child's row, should there be one. */
  next_id: string;
  /** Whether the session went on from this token with its first signed one, and not beyond. */
  is_upgraded_from: boolean;
  /** Whether everything was read as of the moment when the locks were taken. */
  is_fresh: boolean;
}

/**
 * Locks a token and its session, and reads all that a refresh needs. Answers nothing where another request
 * holds one of the locks, or where there is no such token.
 *
 * A row that another transaction changed after this statement's snapshot and before the lock is answered in
 * its new version, while everything else is still read from the snapshot: the token would look spent, and its
 * child not be there. Then the row versions (`xmin`) differ, `is_fresh` is false, and the statement has to be
 * run once more; the locks are held by then.
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

/** Whether a token exists, and whether its session does; answers one row or none. */
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
 * Locks a session, and reads all that a refresh needs. Answers nothing where another request holds the lock, or where
 * there is no such session. Counter and key are read from the locked row, so nothing can be older than the lock.
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

/** Whether there is a session; answers one row or none. */
export function findSession(id: string): Statement {
  return {
    name: 'auth_find_session',
    text: 'select 1 from auth.sessions where id = $1',
    values: [id],
  };
}

/** Counts a session's signed tokens. @param key where it gets one with them, sealed */
export function setCounter(sessionId: string, counter: number, key?: string): Statement {
  return {
    name: 'auth_set_refresh_token_counter',
    text: `update auth.sessions
      set refresh_token_counter = $2, refresh_token_hmac_key = coalesce($3, refresh_token_hmac_key) where id = $1`,
    values: [sessionId, counter, key ?? null],
  };
}

/** Locks a user and answers all their sessions; nothing where another request holds the lock. */
export function lockSessionsOfUser(userId: string): Statement {
  return {
    name: 'auth_lock_sessions_of_user',
    text: `with held as (select id from auth.users where id = $1 for no key update skip locked)
      select ${sessionAsJson} as session from auth.sessions s where s.user_id in (select id from held)`,
    values: [userId],
  };
}

/** Spends a token, unless it is already. */
export function spendToken(id: string, now: Date): Statement {
  return {
    name: 'auth_spend_refresh_token',
    text: 'update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1 and not revoked',
    values: [id, now],
  };
}

/** A successor, to be inserted. */
interface ChildToken {
  id: string;
  hash: string;
  parentHash: string;
  sessionId: string;
  userId: string;
}

/** Inserts a successor. */
export function insertToken(child: ChildToken, now: Date): Statement {
  return {
    name: 'auth_insert_refresh_token',
    text: `insert into auth.refresh_tokens
        (instance_id, id, token, parent, session_id, user_id, revoked, created_at, updated_at)
      values ('${NIL_UUID}', $1, $2, $3, $4, $5, false, $6, $6)`,
    values: [child.id, child.hash, child.parentHash, child.sessionId, child.userId, now],
  };
}

/** Who refreshed, and from where. */
interface Refresher {
  userAgent: string | null;
  ip: string | null;
  /** Whether the refresh leaves `refreshed_at` as it is. */
  isRepeat: boolean;
}

/**
 * Notes a refresh on its session and its user. The user is for information only, so a row that another
 * transaction holds is passed over: waiting for it could deadlock with whoever changes the user and ends the
 * user's sessions.
 */
export function noteRefresh(
  sessionId: string,
  userId: string,
  { userAgent, ip, isRepeat }: Refresher,
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

/** Deletes all stored tokens of a session. */
export function deleteTokensOf(sessionId: string): Statement {
  return {
    name: 'auth_delete_tokens_of_session',
    text: 'delete from auth.refresh_tokens where session_id = $1',
    values: [sessionId],
  };
}

/** Deletes a token that belongs to no session. */
export function deleteToken(hash: string): Statement {
  return { text: 'delete from auth.refresh_tokens where token = $1', values: [hash] };
}
