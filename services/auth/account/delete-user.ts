/** Deletes a user and everything that belongs to them. */
import type { Statement, Transaction } from '@greenroom/postgres';
import { lockUser } from '../one-time/statements.ts';
import { endSessions } from '../user/end-sessions.ts';
import type { UserRow } from '../user/user.ts';

/**
 * Ends a user's sessions and locks their row, in the order in which everybody locks these; answers them, or nothing
 * where somebody was faster.
 */
export async function lockForDeletion(tx: Transaction, id: string): Promise<UserRow | undefined> {
  await tx.query(endSessions('global', id, undefined));
  const [user] = await tx.query<UserRow>(lockUser(id));
  return user;
}

/** Deletes a user who is locked; the database deletes what belongs to them. */
export function deleteUser(id: string): Statement {
  return {
    name: 'auth_delete_user',
    text: 'delete from auth.users where id = $1',
    values: [id],
  };
}
