/**
 * Validates names of buckets and keys of objects: the characters that S3 accepts without encoding, and the additional
 * ones of the hosted service.
 */
import { failure } from '../errors.ts';

const KEY = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;
/** Suffix reserved for tables of analytics buckets. */
const RESERVED_ENDING = '--table-s3';
/** Limit of S3. Longer keys would also exceed the limit of PostgreSQL's indexes. */
const MAX_KEY_BYTES = 1024;

/** Whether a key is valid for an object. */
export function isValidKey(key: string): boolean {
  return key.length <= MAX_KEY_BYTES && KEY.test(key);
}

/** Validates the key of an existing object. Throws InvalidKey. */
export function requireValidKey(key: string): void {
  if (!isValidKey(key)) throw invalidKey(key);
}

/**
 * Validates the key of a new object. URLs cannot address a key with a segment `.` or `..`, because clients and proxies
 * resolve such segments even if they are encoded. Throws InvalidKey.
 */
export function requireNewKey(key: string): void {
  if (!isValidKey(key) || key.split('/').some(isDotSegment)) throw invalidKey(key);
}

function isDotSegment(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function invalidKey(key: string): Error {
  return failure('InvalidKey', { message: `Invalid key: ${key}` });
}

/** Validates the name of an existing bucket. Throws InvalidBucketName. */
export function requireBucketName(name: string): void {
  if (!BUCKET.test(name)) throw failure('InvalidBucketName');
}

/** Validates the name of a new bucket. Throws InvalidBucketName. */
export function requireNewBucketName(name: string): void {
  requireBucketName(name);
  if (name.trim() !== name || name.endsWith(RESERVED_ENDING) || isDotSegment(name)) {
    throw failure('InvalidBucketName');
  }
}

const PLACEHOLDER = '.emptyFolderPlaceholder';

/** Whether an object is the placeholder of an empty folder. It must be empty, and may have any type. */
export function isPlaceholder(key: string): boolean {
  return key.endsWith(PLACEHOLDER);
}
