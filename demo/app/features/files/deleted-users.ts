/** Removes the stored files of deleted accounts. Runs on the server only. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { removeLeftovers } from 'greenroom/app/server';
import { type CallResult, removeEntries } from './file-calls.ts';
import { FILES_BUCKET } from './files-data.ts';

/** The migration `deleted_people` creates it. */
const TABLE = 'greenroom_deleted_people';
/** Error code of the data API for an unknown table. */
const NO_SUCH_TABLE = 'PGRST205';
const BATCH_SIZE = 500;
/** The pictures of earlier versions. */
const AVATARS_BUCKET = 'avatars';

/**
 * Removes the files of the accounts that the database records. Returns the number of accounts; rejects if the backend fails,
 * and the next call continues.
 * @param client has the service key
 */
export function removeFilesOfDeletedUsers(client: SupabaseClient): Promise<number> {
  const remove = async (id: string) => (await removeFilesOf(client, id)).problem;
  return removeLeftovers({ client, accounts: deletedPeople(client), remove });
}

/** Removes all of a user's files, and the pictures of earlier versions. */
export async function removeFilesOf(client: SupabaseClient, ownerId: string): Promise<CallResult<undefined>> {
  for (const bucketName of [FILES_BUCKET, AVATARS_BUCKET]) {
    const removed = await removeEntries({ client, ownerId, bucketName }, [{ kind: 'folder', path: '' }]);
    if (removed.problem !== undefined) return removed;
  }
  return { value: undefined };
}

/** Returns the accounts of the table; none if the table is missing. */
function deletedPeople(client: SupabaseClient) {
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
    async forget(id: string) {
      await client.from(TABLE).delete().eq('id', id);
    },
  };
}
