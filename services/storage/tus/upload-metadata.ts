/** What a client says of an object in header `Upload-Metadata`. */
import { readUserMetadata, type UserMetadata } from '../validate/user-metadata.ts';
import type { ContentLabels } from './received-content.ts';

const DEFAULT_TYPE = 'application/octet-stream';
const DEFAULT_CACHE_CONTROL = 'no-cache';
const SECONDS = /^-?\d+$/;

/** Pairs of the header, decoded. */
export type UploadMetadata = Readonly<Record<string, string | null | undefined>>;

/** Seconds become a header; whatever else there is does not count. */
export function withCacheControl(metadata: UploadMetadata): Record<string, string | null> {
  const { cacheControl } = metadata;
  const isSeconds = typeof cacheControl === 'string' && SECONDS.test(cacheControl);
  return {
    ...(metadata as Record<string, string | null>),
    cacheControl: isSeconds ? `max-age=${cacheControl}` : DEFAULT_CACHE_CONTROL,
  };
}

/** Of metadata that has been through {@link withCacheControl}. */
export function labelsOf({ contentType, cacheControl }: UploadMetadata): ContentLabels {
  return {
    contentType: contentType || DEFAULT_TYPE,
    cacheControl: cacheControl || DEFAULT_CACHE_CONTROL,
  };
}

/** What people say about the object themselves: JSON. What is none does not count. Throws EntityTooLarge. */
export function userMetadataOf({ metadata }: UploadMetadata): UserMetadata | null {
  return readUserMetadata(metadata ?? undefined) ?? null;
}
