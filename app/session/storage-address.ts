/** URLs of storage, and of users' pictures in it. Pure functions. */
import type { PageConfig } from '../lib/page/page-config.ts';

/**
 * Bucket of the pictures on account pages. The app's server creates it for the first picture and issues signed URLs for
 * its files, so that it needs no policy; its name leaves all others to the project.
 */
export const PICTURES_BUCKET = 'greenroom-account-pictures';

/** The bucket of earlier versions. Projects have buckets of this name, too. */
export const AVATARS_BUCKET = 'avatars';

/** Returns the prefix of storage URLs; a path if storage has the app's origin. */
export function storageBase({ apiUrl, baseURL }: Pick<PageConfig, 'apiUrl' | 'baseURL'>): string {
  return `${(apiUrl ?? baseURL).replace(/\/$/, '')}/storage/v1`;
}

/** A bucket, the folder of a user's id, and a name that changes with the picture. */
const PATH = new RegExp(
  `^(?<bucket>${PICTURES_BUCKET}|${AVATARS_BUCKET})/(?<owner>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/(?<name>[\\w-]{1,64}\\.(?:webp|png))$`,
);
const BEFORE_PATH = '/storage/v1/object/public/';

/** The parts of the path of a picture. */
interface PictureParts {
  bucket: string;
  /** Id of the user. */
  owner: string;
  name: string;
}

/** Splits the path of a picture, which begins with its bucket. Undefined for a path that is none. */
export function picturePartsOf(path: string): PictureParts | undefined {
  return PATH.exec(path)?.groups as PictureParts | undefined;
}

/** Returns the id of the user whose picture has a path. Undefined for a path that is none. */
export function pictureOwner(path: string): string | undefined {
  return picturePartsOf(path)?.owner;
}

/**
 * Returns the path of a user's picture, which begins with its bucket, from the user's metadata. Undefined if absent, and
 * for a picture on another site: that site would learn who views this page.
 */
export function picturePath({ avatar_url: url }: Record<string, unknown>): string | undefined {
  const index = typeof url === 'string' ? url.indexOf(BEFORE_PATH) : -1;
  if (index < 0) return undefined;
  const path = String(url).slice(index + BEFORE_PATH.length);
  return PATH.test(path) ? path : undefined;
}

/**
 * Returns the URL of a picture. It is rebuilt from the path, because the stored URL may contain an earlier
 * address of the site.
 */
export function pictureUrl(
  path: string | undefined,
  config: Pick<PageConfig, 'apiUrl' | 'baseURL'>,
): string | undefined {
  return path === undefined ? undefined : `${storageBase(config)}/object/public/${path}`;
}
