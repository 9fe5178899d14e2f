/** A person's picture in storage, by the official client. Nothing here rejects. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { CONSTANTS } from '../../constants.ts';
import { AVATARS_BUCKET } from '../../session/storage-address.ts';

/** Stores a picture, shows it as the person's, and removes the one before. Tells whether it worked. */
export async function savePicture(client: SupabaseClient, ownerId: string, picture: Blob): Promise<boolean> {
  const bucket = client.storage.from(AVATARS_BUCKET);
  // A new name each time: browsers keep what they know by an address.
  const name = `${crypto.randomUUID()}.${picture.type === 'image/webp' ? 'webp' : 'png'}`;
  const path = `${ownerId}/${name}`;
  const cacheControl = String(CONSTANTS.storage.cacheControlSeconds);
  try {
    const { error } = await bucket.upload(path, picture, { cacheControl });
    if (error) return false;
    if (!(await tell(client, bucket.getPublicUrl(path).data.publicUrl))) {
      await bucket.remove([path]);
      return false;
    }
    await removeOthers(client, ownerId, name);
    return true;
  } catch {
    return false;
  }
}

/** Removes a person's picture. Tells whether it worked. */
export async function removePicture(client: SupabaseClient, ownerId: string): Promise<boolean> {
  try {
    if (!(await tell(client, null))) return false;
    await removeOthers(client, ownerId);
    return true;
  } catch {
    return false;
  }
}

/** What somebody says about themselves is also in their token, where pages read it: they need a new one. */
async function tell({ auth }: SupabaseClient, avatar_url: string | null): Promise<boolean> {
  const { error } = await auth.updateUser({ data: { avatar_url } });
  if (error) return false;
  await auth.refreshSession();
  return true;
}

/** What stays behind is only seen by whoever knows its address. */
async function removeOthers(client: SupabaseClient, ownerId: string, kept?: string): Promise<void> {
  const bucket = client.storage.from(AVATARS_BUCKET);
  const { data } = await bucket.list(ownerId);
  const others = (data ?? []).filter(({ name }) => name !== kept).map(({ name }) => `${ownerId}/${name}`);
  if (others.length > 0) await bucket.remove(others);
}
