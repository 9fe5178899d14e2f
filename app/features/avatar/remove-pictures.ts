/** Removes pictures from storage with the service key. Runs on the server only, in and outside of the bundle. */
import type { SupabaseClient } from '@supabase/supabase-js';
import type { DeletedAccounts } from '../../lib/page/page-options.ts';
import { removeLeftovers } from '../../session/deleted-users.ts';
import { PICTURES_BUCKET } from '../../session/storage-address.ts';

/** Removes a user's pictures, all but the one with the name `kept`. Returns the reason if that fails. */
export async function removePictures(
  client: SupabaseClient,
  ownerId: string,
  kept?: string,
): Promise<string | undefined> {
  const bucket = client.storage.from(PICTURES_BUCKET);
  const { data, error } = await bucket.list(ownerId);
  const others = (data ?? []).filter(({ name }) => name !== kept).map(({ name }) => `${ownerId}/${name}`);
  if (others.length === 0) return error?.message;
  return (await bucket.remove(others)).error?.message;
}

/** Removes the pictures of deleted accounts. Returns the number of accounts; rejects if the backend fails. */
export function removePicturesOfDeletedUsers(
  client: SupabaseClient,
  accounts: DeletedAccounts,
): Promise<number> {
  return removeLeftovers({ client, accounts, remove: (id) => removePictures(client, id) });
}
