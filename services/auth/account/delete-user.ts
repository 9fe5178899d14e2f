/** Deletes a user and all rows that belong to the user. */
import type { Statement, Transaction } from '@greenroom/postgres';
import { lockUser } from '../one-time/statements.ts';
import { endSessions } from '../user/end-sessions.ts';
import type { UserRow } from '../user/user.ts';

/**
 * Ends a user's sessions and locks the user's row, in the lock order of all transactions. Returns the user, or
 * undefined if a concurrent request has deleted the user.
 */
export async function lockForDeletion(tx: Transaction, id: string): Promise<UserRow | undefined> {
  await tx.query(endSessions('global', id, undefined));
  const [user] = await tx.query<UserRow>(lockUser(id));
  return user;
}

/** Deletes a locked user. Foreign keys cascade to the rows that belong to the user. */
export function deleteUser(id: string): Statement {
  return {
    name: 'auth_delete_user',
    text: 'delete from auth.users where id = $1',
    values: [id],
  };
}
