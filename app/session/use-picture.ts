/** Addresses of people's pictures, for avatars. */
import { usePage } from '../lib/page/page-context.tsx';
import { picturePath, pictureUrl } from './storage-address.ts';

/** The picture that somebody has, from what they say about themselves. */
export function usePicture(metadata: Record<string, unknown>): string | undefined {
  return usePictureUrl(picturePath(metadata));
}

/** The picture of that path. */
export function usePictureUrl(path: string | undefined): string | undefined {
  return pictureUrl(path, usePage().config);
}
