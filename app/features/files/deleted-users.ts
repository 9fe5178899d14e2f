/**
 * Removes the stored files of deleted accounts, with the official client. Runs on the server only, outside
 * of the bundle.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DeletedAccount, DeletedAccounts } from '../../lib/page/page-options.ts';
import { AVATARS_BUCKET } from '../../session/storage-address.ts';
import { removePictures } from '../avatar/remove-pictures.ts';
import { type CallResult, removeEntries } from './file-calls.ts';
import { FILES_BUCKET } from './files-data.ts';

/** A table of the demo project, of the migration that creates it. */
const TABLE = 'greenroom_deleted_people';
/** Error code of the data API for an unknown table. */
const NO_SUCH_TABLE = 'PGRST205';
const BATCH_SIZE = 500;
/** Longest lifetime of an access token, with which a deleted user could still add files. */
const LONGEST_TOKEN_MS = 8 * 86_400_000;

/** Removes all of a user's files, and the pictures of earlier versions. */
export async function removeFilesOf(client: SupabaseClient, ownerId: string): Promise<CallResult<undefined>> {
  for (const bucketName of [FILES_BUCKET, AVATARS_BUCKET]) {
    const removed = await removeEntries({ client, ownerId, bucketName }, [{ kind: 'folder', path: '' }]);
    if (removed.problem !== undefined) return removed;
  }
  return { value: undefined };
}

/** Returns the deleted accounts that the demo project records. They are none if it is not applied. */
export function deletedPeopleOfDemo(client: SupabaseClient): DeletedAccounts {
  return {
    async list() {
      const { data, error } = await client
        .from(TABLE)
        .select('id, deleted_at')
        .order('deleted_at')
        .limit(BATCH_SIZE);
      // The migration is missing, or the API does not serve the schema.
      if (error?.code === NO_SUCH_TABLE) return [];
      if (error) throw new Error(`deleted users could not be listed: ${error.message}`);
      const rows = data as { id: string; deleted_at: string }[];
      return rows.map(({ id, deleted_at }) => ({ id, deletedAt: Date.parse(deleted_at) }));
    },
    async forget(id) {
      await client.from(TABLE).delete().eq('id', id);
    },
  };
}

/** The accounts, and what their users have left. */
interface Removal {
  /** Has the service key. */
  client: SupabaseClient;
  accounts: DeletedAccounts;
  /** Removes what a user has left; returns the reason if that fails. */
  remove(ownerId: string): Promise<string | undefined>;
}

/** Removes the pictures of deleted accounts. See {@link removeAll}. */
export function removePicturesOfDeletedUsers(
  client: SupabaseClient,
  accounts: DeletedAccounts,
): Promise<number> {
  return removeAll({ client, accounts, remove: (id) => removePictures(client, id) });
}

/** Removes the files of the accounts that the demo project records. See {@link removeAll}. */
export function removeFilesOfDeletedUsers(client: SupabaseClient): Promise<number> {
  const accounts = deletedPeopleOfDemo(client);
  const remove = async (id: string) => (await removeFilesOf(client, id)).problem;
  return removeAll({ client, accounts, remove });
}

/** Returns the number of accounts processed; rejects if the backend fails, and the next call continues. */
async function removeAll({ client, accounts, remove }: Removal, now = Date.now()): Promise<number> {
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
