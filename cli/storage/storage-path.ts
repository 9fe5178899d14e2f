/** Addresses of the storage service: `ss:///bucket/path`, as in the Supabase CLI. */

/** A parsed address. */
export interface StoragePath {
  /** `/bucket/path`, without encoding. */
  text: string;
  /** Empty for all buckets. */
  bucket: string;
  /** Key of an object, or the beginning of keys. Empty for the whole bucket. */
  key: string;
}

const ADDRESS = /^ss:\/\/(\/[^?#]*)$/i;

/** Whether a text is meant as an address of storage, and not as a local path. */
export function isStorageAddress(text: string): boolean {
  return /^ss:/i.test(text);
}

/** Parses an address. Percent-encoded characters are decoded. Throws for any other text. */
export function parseStorageAddress(text: string): StoragePath {
  const [, encoded] = ADDRESS.exec(text) ?? [];
  const path = encoded === undefined ? undefined : decoded(encoded);
  if (path === undefined) {
    throw new Error(
      `${JSON.stringify(text)} is not an address of storage. Allowed: ss:///bucket/path, with %3F for ?, %23 for # and %25 for %.`,
    );
  }
  const parsed = storagePathOf(path);
  // Clients resolve such segments of a URL before they send it.
  if (isDotSegment(parsed.bucket)) throw new Error(`${JSON.stringify(text)} names no bucket.`);
  return parsed;
}

/** Splits `/bucket/path`. */
export function storagePathOf(text: string): StoragePath {
  const [bucket = '', ...rest] = text.replace(/^\//, '').split('/');
  return { text, bucket, key: rest.join('/') };
}

/** Whether an address names a bucket or a folder by its form: it has no key, or ends with a slash. */
export function isFolderPath({ key }: StoragePath): boolean {
  return key === '' || key.endsWith('/');
}

/** Whether the last part of an address is the beginning of names of buckets: `ss:///` and `ss:///bucket`. */
export function isBucketPrefix({ text, bucket, key }: StoragePath): boolean {
  return bucket === '' || (key === '' && !text.endsWith('/'));
}

/** Returns the path without slashes at its end. */
export function withoutEndingSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

/** Throws if a URL cannot contain the key of an address: clients remove the segments `.`, `..` and empty ones. */
export function requireUrlKey({ text, key }: StoragePath): void {
  if (!key.split('/').some((segment) => segment === '' || isDotSegment(segment))) return;
  throw new Error(`${JSON.stringify(`ss://${text}`)} cannot contain an empty segment, "." or "..".`);
}

function isDotSegment(segment: string): boolean {
  return segment === '.' || segment === '..';
}

/** Returns undefined for a wrong encoding. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
