/** Ends sessions: deletes their rows, and with them their refresh tokens. */
import type { Statement } from '@greenroom/postgres';

/** Which sessions of a user: all, the one at hand, or all but the one at hand. */
export type SessionScope = 'global' | 'local' | 'others';

/** Ends sessions of a user. Without a session at hand, every scope means all. */
export function endSessions(scope: SessionScope, userId: string, sessionId: string | undefined): Statement {
  return {
    name: 'auth_end_sessions',
    text: `delete from auth.sessions where user_id = $1
      and case $2 when 'local' then id = $3::uuid when 'others' then id <> $3::uuid else true end`,
    values: [userId, sessionId === undefined ? 'global' : scope, sessionId ?? null],
  };
}
