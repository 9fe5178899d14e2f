/**
 * Removes the stored files of deleted accounts, with the official client. Runs on the server only, outside
 * of the bundle.
 */
import type { SupabaseClient } from '@supabase/supabase-js';
import { AVATARS_BUCKET } from '../../session/storage-address.ts';
import { type CallResult, removeEntries } from './file-calls.ts';
import { FILES_BUCKET } from './files-data.ts';

/** Created by `migrations/0003_deleted_people.sql`. */
const TABLE = 'greenroom_deleted_people';
/** Error code of the data API for an unknown table. */
const NO_SUCH_TABLE = 'PGRST205';
const BATCH_SIZE = 500;
/** Longest lifetime of an access token, with which a deleted user could still add files. */
const LONGEST_TOKEN_MS = 8 * 86_400_000;

/** Removes all of a user's files and pictures. */
export async function removeFilesOf(client: SupabaseClient, ownerId: string): Promise<CallResult<undefined>> {
  for (const bucketName of [FILES_BUCKET, AVATARS_BUCKET]) {
    const removed = await removeEntries({ client, ownerId, bucketName }, [{ kind: 'folder', path: '' }]);
    if (removed.problem !== undefined) return removed;
  }
  return { value: undefined };
}

/**
 * Removes the files of deleted accounts. `client` has the service key. Returns the number of accounts
 * processed; rejects if the backend fails, and the next call continues.
 */
export async function removeFilesOfDeletedUsers(client: SupabaseClient, now = Date.now()): Promise<number> {
  const { data: users, error } = await client
    .from(TABLE)
    .select('id, deleted_at')
    .order('deleted_at')
    .limit(BATCH_SIZE);
  // The migration is missing, or the API does not serve the schema.
  if (error?.code === NO_SUCH_TABLE) return 0;
  if (error) throw new Error(`deleted users could not be listed: ${error.message}`);
  for (const { id, deleted_at: deletedAt } of users as { id: string; deleted_at: string }[]) {
    const isReused = await exists(client, id);
    if (!isReused) await removeAll(client, id);
    if (isReused || now - Date.parse(deletedAt) > LONGEST_TOKEN_MS)
      await client.from(TABLE).delete().eq('id', id);
  }
  return users.length;
}

/** Returns whether a user with this id exists: the id may have been assigned again. */
async function exists(client: SupabaseClient, id: string): Promise<boolean> {
  const { data, error } = await client.auth.admin.getUserById(id);
  if (error && error.status !== 404) throw new Error(`user ${id} could not be looked up: ${error.message}`);
  return data.user !== null;
}

async function removeAll(client: SupabaseClient, id: string): Promise<void> {
  const { problem } = await removeFilesOf(client, id);
  if (problem !== undefined)
    throw new Error(`files of the deleted user ${id} could not be removed: ${problem}`);
}
