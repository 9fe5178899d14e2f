/** URLs of storage, and of users' pictures in it. Pure functions. */
import type { PageConfig } from '../lib/page/page-config.ts';

/** Bucket of users' pictures. */
export const AVATARS_BUCKET = 'avatars';

/** Returns the prefix of storage URLs; a path if storage has the app's origin. */
export function storageBase({ apiUrl, baseURL }: Pick<PageConfig, 'apiUrl' | 'baseURL'>): string {
  return `${(apiUrl ?? baseURL).replace(/\/$/, '')}/storage/v1`;
}

/** Path of a picture that this app has stored: a user's id, and a name that changes with the picture. */
const PATH = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[\w-]{1,64}\.(?:webp|png)$/;
const BEFORE_PATH = `/storage/v1/object/public/${AVATARS_BUCKET}/`;

/** Returns whether a path is one of a picture in its bucket. */
export function isPicturePath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Returns the path of a user's picture in its bucket, from the user's metadata. Undefined if absent, and
 * for a picture on another site: that site would learn who views this page.
 */
export function picturePath({ avatar_url: url }: Record<string, unknown>): string | undefined {
  const index = typeof url === 'string' ? url.indexOf(BEFORE_PATH) : -1;
  if (index < 0) return undefined;
  const path = String(url).slice(index + BEFORE_PATH.length);
  return isPicturePath(path) ? path : undefined;
}

/**
 * Returns the URL of a picture. It is rebuilt from the path, because the stored URL may contain an earlier
 * address of the site.
 */
export function pictureUrl(
  path: string | undefined,
  config: Pick<PageConfig, 'apiUrl' | 'baseURL'>,
): string | undefined {
  return path === undefined ? undefined : `${storageBase(config)}/object/public/${AVATARS_BUCKET}/${path}`;
}
