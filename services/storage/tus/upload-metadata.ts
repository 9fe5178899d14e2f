/** Interprets the header `Upload-Metadata`. */
import { readUserMetadata, type UserMetadata } from '../validate/user-metadata.ts';
import type { ContentLabels } from './received-content.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const DEFAULT_CACHE_CONTROL = 'no-cache';
const SECONDS = /^-?\d+$/;

/** Decoded pairs of the header. */
export type UploadMetadata = Readonly<Record<string, string | null | undefined>>;

/** Converts `cacheControl` from seconds to a header value; other values are replaced by the default. */
export function withCacheControl(metadata: UploadMetadata): Record<string, string | null> {
  const { cacheControl } = metadata;
  const isSeconds = typeof cacheControl === 'string' && SECONDS.test(cacheControl);
  return {
    ...(metadata as Record<string, string | null>),
    cacheControl: isSeconds ? `max-age=${cacheControl}` : DEFAULT_CACHE_CONTROL,
  };
}

/** Returns the content's headers from metadata processed by {@link withCacheControl}. */
export function labelsOf({ contentType, cacheControl }: UploadMetadata): ContentLabels {
  return {
    contentType: contentType || DEFAULT_TYPE,
    cacheControl: cacheControl || DEFAULT_CACHE_CONTROL,
  };
}

/** Parses the user metadata. Returns null if it is not a JSON object. Throws EntityTooLarge. */
export function userMetadataOf({ metadata }: UploadMetadata): UserMetadata | null {
  return readUserMetadata(metadata ?? undefined) ?? null;
}
