/** Removes what users have left when their accounts are deleted. Runs on the server only, in and outside of the bundle. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DeletedAccount, DeletedAccounts } from '../lib/page/page-options.ts';

/** Longest lifetime of an access token, with which a deleted user could still add files. */
const LONGEST_TOKEN_MS = 8 * 86_400_000;

/** The accounts, and what their users have left. */
interface Removal {
  /** Has the service key. */
  client: SupabaseClient;
  accounts: DeletedAccounts;
  /** Removes what a user has left; returns the reason if that fails. */
  remove(ownerId: string): Promise<string | undefined>;
}

/**
 * Calls `remove` for each account, until all access tokens of the account have expired. An account whose id exists again is
 * skipped. Returns the number of accounts; rejects if the backend fails, and the next call continues.
 */
export async function removeLeftovers(
  { client, accounts, remove }: Removal,
  now = Date.now(),
): Promise<number> {
  const deleted = await accounts.list();
  for (const account of deleted) {
    const isReused = await exists(client, account.id);
    const problem = isReused ? undefined : await remove(account.id);
    if (problem !== undefined) {
      throw new Error(`files of the deleted user ${account.id} could not be removed: ${problem}`);
    }
    if (isReused || isOver(account, now)) await accounts.forget(account.id);
  }
  return deleted.length;
}

/** Whether all access tokens of the account have expired. */
function isOver({ deletedAt }: DeletedAccount, now: number): boolean {
  return now - deletedAt > LONGEST_TOKEN_MS;
}

/** Returns whether a user with this id exists: the id may have been assigned again. */
async function exists(client: SupabaseClient, id: string): Promise<boolean> {
  const { data, error } = await client.auth.admin.getUserById(id);
  if (error && error.status !== 404) throw new Error(`user ${id} could not be looked up: ${error.message}`);
  return data.user !== null;
}
