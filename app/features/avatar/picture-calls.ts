/** Storage calls for a user's picture, from the browser, with the official client. None of them rejects. */
import type { SupabaseClient } from '@supabase/supabase-js';
import * as CONSTANTS from '../../constants.ts';
import {
  AVATARS_BUCKET,
  PICTURES_BUCKET,
  picturePartsOf,
  picturePath,
} from '../../session/storage-address.ts';
import type { PictureForm, PictureUpload } from './picture-form.ts';

/** The user, and the calls that change the user's picture. */
interface PictureOwner {
  client: SupabaseClient;
  /** The user's metadata before the change. */
  metadata: Record<string, unknown>;
  /** Sends a form to the app's server. Rejects if the server refuses it. */
  send(form: PictureForm): Promise<unknown>;
}

/**
 * Stores a picture, sets it in the user's metadata, and removes the previous one. Returns whether it
 * succeeded.
 */
export async function savePicture(owner: PictureOwner, picture: Blob): Promise<boolean> {
  const { client, send } = owner;
  const bucket = client.storage.from(PICTURES_BUCKET);
  const cacheControl = String(CONSTANTS.storage.cacheControlSeconds);
  try {
    const type = picture.type === 'image/webp' ? 'webp' : 'png';
    const { path, token } = (await send({ intent: 'upload', type })) as PictureUpload;
    const { error } = await bucket.uploadToSignedUrl(path, token, picture, { cacheControl });
    if (error) return false;
    const isSet = await setAvatarUrl(client, bucket.getPublicUrl(path).data.publicUrl);
    await removeOthers(owner);
    return isSet;
  } catch {
    return false;
  }
}

/** Removes a user's picture. Returns whether it succeeded. */
export async function removePicture(owner: PictureOwner): Promise<boolean> {
  try {
    if (!(await setAvatarUrl(owner.client, null))) return false;
    await removeOthers(owner);
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

/**
 * Removes all pictures but the current one. Failures are ignored: a remaining picture is visible only to users who know
 * its URL, and the next change removes it.
 */
async function removeOthers({ client, metadata, send }: PictureOwner): Promise<void> {
  const previous = picturePartsOf(picturePath(metadata) ?? '');
  const isEarlier = previous?.bucket === AVATARS_BUCKET;
  await Promise.allSettled([
    send({ intent: 'tidy' }),
    isEarlier && client.storage.from(AVATARS_BUCKET).remove([`${previous.owner}/${previous.name}`]),
  ]);
}
