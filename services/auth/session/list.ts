/** Statements that list and end sessions, for users and admins. They never return keys or tokens. */
import type { Statement } from '@greenroom/postgres';
import type { AssuranceLevel } from './session.ts';

/**
 * A session on the wire. `refreshed_at` is null before the first refresh; `not_after` is null without a fixed
 * end.
 */
export interface ListedSession {
  id: string;
  created_at: Date;
  refreshed_at: Date | null;
  not_after: Date | null;
  aal: AssuranceLevel;
  user_agent: string | null;
  ip: string | null;
  tag: string | null;
}

/** Returns a {@link ListedSession} for each session of a user, most recently used first. */
export function findSessions(userId: string): Statement {
  return {
    name: 'auth_find_sessions',
    text: `select s.id, s.created_at, s.refreshed_at at time zone 'utc' as refreshed_at, s.not_after,
        coalesce(s.aal, 'aal1') as aal, s.user_agent, host(s.ip) as ip, s.tag
      from auth.sessions s where s.user_id = $1
      order by greatest(s.created_at, s.refreshed_at at time zone 'utc') desc, s.id`,
    values: [userId],
  };
}

/** Ends one session of a user. Returns one row, or none if the user has no such session. */
export function endSession(id: string, userId: string): Statement {
  return {
    name: 'auth_end_session',
    text: 'delete from auth.sessions where id = $1 and user_id = $2 returning id',
    values: [id, userId],
  };
}
