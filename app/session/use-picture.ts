/** URLs of users' pictures, for avatars. */
import { usePage } from '../lib/page/page-context.tsx';
import { picturePath, pictureUrl } from './storage-address.ts';

/** Returns the URL of the picture in a user's metadata. */
export function usePicture(metadata: Record<string, unknown>): string | undefined {
  return usePictureUrl(picturePath(metadata));
}

/** Returns the URL of the picture with that path. */
export function usePictureUrl(path: string | undefined): string | undefined {
  return pictureUrl(path, usePage().config);
}
