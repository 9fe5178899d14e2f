/** Where browsers find storage, and the pictures of people in it. Pure. */
import type { PageConfig } from '../lib/page/page-config.ts';

/** Bucket of people's pictures. */
export const AVATARS_BUCKET = 'avatars';

/** The address that paths of storage are put behind; a path where it is beside the app. */
export function storageBase({ apiUrl, baseURL }: Pick<PageConfig, 'apiUrl' | 'baseURL'>): string {
  return `${(apiUrl ?? baseURL).replace(/\/$/, '')}/storage/v1`;
}

/** Of a picture that this app has stored: a person's id, and a name that changes with the picture. */
const PATH = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[\w-]{1,64}\.(?:webp|png)$/;
const BEFORE_PATH = `/storage/v1/object/public/${AVATARS_BUCKET}/`;

/** Tells whether it is the path of a picture in its bucket. */
export function isPicturePath(path: string): boolean {
  return PATH.test(path);
}

/**
 * The path of a person's picture in its bucket, from what they say about themselves. Undefined where there is none, and
 * for one of another site: that site would learn who looks at this page.
 */
export function picturePath({ avatar_url: url }: Record<string, unknown>): string | undefined {
  const place = typeof url === 'string' ? url.indexOf(BEFORE_PATH) : -1;
  if (place < 0) return undefined;
  const path = String(url).slice(place + BEFORE_PATH.length);
  return isPicturePath(path) ? path : undefined;
}

/** The address of such a picture. The stored one may name a place where the site once was. */
export function pictureUrl(
  path: string | undefined,
  config: Pick<PageConfig, 'apiUrl' | 'baseURL'>,
): string | undefined {
  return path === undefined ? undefined : `${storageBase(config)}/object/public/${AVATARS_BUCKET}/${path}`;
}
