/** The sessions of a user as people and admins see them, and how one of them is ended. Keys and tokens stay here. */
import type { Statement } from '@greenroom/postgres';
import type { AssuranceLevel } from './session.ts';

/** A session on the wire. `refreshed_at` is null until the first refresh, `not_after` where there is no end. */
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

/** All sessions of a user, those used last first; answers {@link ListedSession}. */
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

/** Ends one session of a user; answers one row, or none where the user has no such session. */
export function endSession(id: string, userId: string): Statement {
  return {
    name: 'auth_end_session',
    text: 'delete from auth.sessions where id = $1 and user_id = $2 returning id',
    values: [id, userId],
  };
}
