/** Ends sessions by deleting their rows, which also deletes their refresh tokens. */
import type { Statement } from '@greenroom/postgres';

/** Selects sessions of a user: all, only the current one, or all others. */
export type SessionScope = 'global' | 'local' | 'others';

/** Ends sessions of a user. Without a current session, every scope means all sessions. */
export function endSessions(scope: SessionScope, userId: string, sessionId: string | undefined): Statement {
  return {
    name: 'auth_end_sessions',
    text: `delete from auth.sessions where user_id = $1
      and case $2 when 'local' then id = $3::uuid when 'others' then id <> $3::uuid else true end`,
    values: [userId, sessionId === undefined ? 'global' : scope, sessionId ?? null],
  };
}
