/** Checks objects against the rules of their bucket and the limits of metadata, for all kinds of writes. */
import { requireShortMetadata } from './metadata-length.ts';
import { requireMimeType } from './mime-type.ts';
import { maxBytesOf, requireSize } from './size-limit.ts';

/** Type of content whose sender does not declare one. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** Rules of a bucket, as in its row. Null: no rule. */
interface BucketRules {
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** An object before it is written. */
interface Candidate {
  key: string;
  /** Undefined if the object's row does not have it. */
  mimeType: string | undefined;
  /** Undefined if the object's row does not have it. */
  cacheControl: string | undefined;
  /** Bytes; undefined if not known yet. */
  size: number | undefined;
  /** Most bytes that the instance accepts for this kind of write. */
  instanceLimit: number;
}

/**
 * Checks an object against the rules of its bucket. Returns the most bytes that it may have. Throws InvalidRequest for
 * metadata that is too long, InvalidMimeType and EntityTooLarge.
 */
export function requireAccepted(
  bucket: BucketRules,
  { key, mimeType, cacheControl, size, instanceLimit }: Candidate,
): number {
  requireShortMetadata({ mimeType, cacheControl });
  const maxBytes = maxBytesOf({ key, bucketLimit: bucket.file_size_limit, instanceLimit });
  requireMimeType(mimeType ?? UNKNOWN_TYPE, bucket.allowed_mime_types, key);
  requireSize(size, maxBytes);
  return maxBytes;
}
