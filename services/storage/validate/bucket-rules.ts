/** What a bucket takes: the same for every way in which an object can get there. */
import { requireMimeType } from './mime-type.ts';
import { maxBytesOf, requireSize } from './size-limit.ts';

/** Of content whose sender does not say its type. */
const UNKNOWN_TYPE = 'application/octet-stream';

/** The rules, as rows of buckets have them. Null: none. */
interface BucketRules {
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** An object that is about to be in a bucket. */
interface Candidate {
  key: string;
  /** Undefined where a row does not say it. */
  mimeType: string | undefined;
  /** Bytes; undefined where they are not known yet. */
  size: number | undefined;
  /** Most bytes that the instance takes in this way. */
  instanceLimit: number;
}

/**
 * Checks an object against the rules of its bucket. Returns the most bytes that it may have. Throws InvalidMimeType and
 * EntityTooLarge.
 */
export function requireAccepted(
  bucket: BucketRules,
  { key, mimeType, size, instanceLimit }: Candidate,
): number {
  const maxBytes = maxBytesOf({ key, bucketLimit: bucket.file_size_limit, instanceLimit });
  requireMimeType(mimeType ?? UNKNOWN_TYPE, bucket.allowed_mime_types, key);
  requireSize(size, maxBytes);
  return maxBytes;
}
