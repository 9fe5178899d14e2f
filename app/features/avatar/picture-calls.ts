/** Storage calls for a user's picture, with the official client. None of them rejects. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as CONSTANTS from '../../constants.ts';
import { AVATARS_BUCKET } from '../../session/storage-address.ts';

/**
 * Stores a picture, sets it in the user's metadata, and removes the previous one. Returns whether it
 * succeeded.
 */
export async function savePicture(client: SupabaseClient, ownerId: string, picture: Blob): Promise<boolean> {
  const bucket = client.storage.from(AVATARS_BUCKET);
  // A new name each time, because browsers cache by URL.
  const name = `${crypto.randomUUID()}.${picture.type === 'image/webp' ? 'webp' : 'png'}`;
  const path = `${ownerId}/${name}`;
  const cacheControl = String(CONSTANTS.storage.cacheControlSeconds);
  try {
    const { error } = await bucket.upload(path, picture, { cacheControl });
    if (error) return false;
    if (!(await setAvatarUrl(client, bucket.getPublicUrl(path).data.publicUrl))) {
      await bucket.remove([path]);
      return false;
    }
    await removeOthers(client, ownerId, name);
    return true;
  } catch {
    return false;
  }
}

/** Removes a user's picture. Returns whether it succeeded. */
export async function removePicture(client: SupabaseClient, ownerId: string): Promise<boolean> {
  try {
    if (!(await setAvatarUrl(client, null))) return false;
    await removeOthers(client, ownerId);
    return true;
  } catch {
    return false;
  }
}

/** Sets the URL in the user's metadata, and refreshes the token, which contains the metadata for pages. */
async function setAvatarUrl({ auth }: SupabaseClient, avatar_url: string | null): Promise<boolean> {
  const { error } = await auth.updateUser({ data: { avatar_url } });
  if (error) return false;
  await auth.refreshSession();
  return true;
}

/** Failures are ignored: a remaining picture is visible only to users who know its URL. */
async function removeOthers(client: SupabaseClient, ownerId: string, currentName?: string): Promise<void> {
  const bucket = client.storage.from(AVATARS_BUCKET);
  const { data } = await bucket.list(ownerId);
  const others = (data ?? [])
    .filter(({ name }) => name !== currentName)
    .map(({ name }) => `${ownerId}/${name}`);
  if (others.length > 0) await bucket.remove(others);
}
