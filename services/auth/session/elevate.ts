/** Raises sessions to aal2 after the use of a second factor, and downgrades them when a factor is removed. */
import type { Statement } from '@greenroom/postgres';
import type { AuthContext } from '../context.ts';
import { NIL_UUID } from '../user/find.ts';
import { rekeyedToken } from './issued-token.ts';
import { deleteTokensOfSession, setCounter } from './refresh-statements.ts';
import { hashRefreshToken, randomRefreshToken } from './refresh-token.ts';
import type { AssuranceLevel, AuthenticationMethodReference } from './session.ts';

/** The session to elevate and the factor that the user verified. `method` goes into claim `amr`. */
interface Elevation {
  userId: string;
  session: LockedSession;
  /** Null for a recovery code, which belongs to no factor. */
  factorId: string | null;
  method: string;
}

/** The result of {@link elevateSession}. `read` returns an {@link ElevatedSession}. */
interface PlannedElevation {
  refreshToken: string;
  statements: Statement[];
  read: Statement;
}

/** A row that {@link lockSessions} returns. */
export interface LockedSession {
  id: string;
  aal: AssuranceLevel;
  user_verified: boolean;
  counter: number | null;
}

/** The session after the elevation, as its access token needs it. */
export interface ElevatedSession {
  created_at: Date;
  amr: AuthenticationMethodReference[];
}

/**
 * Locks all sessions of a user and returns a {@link LockedSession} for each. An elevation ends most of the
 * other sessions, so locking only its own session could deadlock: two concurrent elevations would wait for each
 * other's session.
 */
export function lockSessions(userId: string): Statement {
  return {
    name: 'auth_lock_sessions',
    text: `select id, coalesce(aal, 'aal1') as aal, user_verified, refresh_token_counter::float8 as counter
      from auth.sessions where user_id = $1 for update`,
    values: [userId],
  };
}

/**
 * Adds the method to the session and issues a new refresh token; ends the user's other sessions below aal2. The
 * new token has no parent and cannot be derived again, so a client that misses this response has to sign in
 * again.
 */
export function elevateSession(
  context: AuthContext,
  { userId, session, factorId, method }: Elevation,
): PlannedElevation {
  const now = context.now();
  const sessionId = session.id;
  const token = tokenForElevation(context, userId, session);
  return {
    refreshToken: token.text,
    statements: [
      {
        name: 'auth_elevate_session',
        text: `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = $3 where id = $1`,
        values: [sessionId, factorId, now],
      },
      {
        name: 'auth_end_lower_sessions',
        text: `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal, 'aal1') < 'aal2'`,
        values: [userId, sessionId],
      },
      {
        name: 'auth_add_method',
        text: `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
          values (gen_random_uuid(), $1, $3, $3, $2)
          on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
        values: [sessionId, method, now],
      },
      ...token.statements,
    ],
    read: {
      name: 'auth_read_elevated',
      text: `select s.created_at, (
          select json_agg(json_build_object(
            'method', m.authentication_method, 'timestamp', floor(extract(epoch from m.updated_at))
          ) order by m.updated_at desc)
          from auth.mfa_amr_claims m where m.session_id = s.id
        ) as amr
        from auth.sessions s where s.id = $1`,
      values: [sessionId],
    },
  };
}

/**
 * Refresh tokens from before the elevation must not lead to aal2, even within the reuse interval: stored tokens
 * are deleted, and signed tokens become invalid because the session gets a new key. The counter advances by
 * two, as in GoTrue.
 */
const ELEVATION_STEP = 2;

function tokenForElevation(
  context: AuthContext,
  userId: string,
  session: LockedSession,
): { text: string; statements: Statement[] } {
  const now = context.now();
  if (session.counter !== null) {
    const { text, sessionKey, counter } = rekeyedToken(context, session.id, session.counter + ELEVATION_STEP);
    return {
      text,
      statements: [deleteTokensOfSession(session.id), setCounter(session.id, counter, sessionKey)],
    };
  }
  const text = randomRefreshToken();
  const replace: Statement = {
    name: 'auth_replace_refresh_tokens',
    text: `with replaced as (delete from auth.refresh_tokens where session_id = $1)
      insert into auth.refresh_tokens
        (instance_id, token, parent, user_id, session_id, revoked, created_at, updated_at)
      values ('${NIL_UUID}', $3, '', $2, $1, false, $4, $4)`,
    values: [session.id, userId, hashRefreshToken(text), now],
  };
  return { text, statements: [replace] };
}

/** SQL: the authentication methods that raise a session to aal2. */
const SECOND_FACTOR_METHODS = `('totp', 'mfa/phone', 'mfa/webauthn', 'recovery_code')`;

/** Downgrades sessions that were verified with this factor to aal1. */
export function downgradeSessions(factorId: string, now: Date): Statement[] {
  return [
    {
      name: 'auth_lower_sessions',
      text: `with lowered as (
          update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2 where factor_id = $1 returning id
        )
        delete from auth.mfa_amr_claims m using lowered
        where m.session_id = lowered.id and m.authentication_method in ${SECOND_FACTOR_METHODS}`,
      values: [factorId, now],
    },
  ];
}

/**
 * Downgrades all sessions of a user without a verified factor to aal1. This covers sessions that used a
 * recovery code and therefore name no factor. Send it after the deletion of a factor, and {@link lockSessions}
 * before both: verifications lock in the same order.
 */
export function downgradeSessionsWithoutFactor(userId: string, now: Date): Statement {
  return {
    name: 'auth_lower_sessions_without_factor',
    text: `with lowered as (
        update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2
        where user_id = $1 and aal = 'aal2'
          and not exists (select from auth.mfa_factors f where f.user_id = $1 and f.status = 'verified')
        returning id
      )
      delete from auth.mfa_amr_claims m using lowered
      where m.session_id = lowered.id and m.authentication_method in ${SECOND_FACTOR_METHODS}`,
    values: [userId, now],
  };
}
