/** Names of buckets and keys of objects: what S3 takes without encoding, and what the hosted service takes besides. */
import { failure } from '../errors.ts';

const KEY = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;
/** Names with it belong to tables of analytics buckets. */
const RESERVED_ENDING = '--table-s3';
/** As S3 has it. Longer ones could not be indexed either. */
const MAX_KEY_BYTES = 1024;

/** Whether an object can have it. */
export function isValidKey(key: string): boolean {
  return key.length <= MAX_KEY_BYTES && KEY.test(key);
}

/** Of an object that is asked for. Throws InvalidKey. */
export function requireValidKey(key: string): void {
  if (!isValidKey(key)) throw invalidKey(key);
}

/**
 * Of an object that is to be made. URLs cannot name one with a segment `.` or `..`, because clients and proxies resolve
 * them, also where they are encoded. Throws InvalidKey.
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

/** Of a bucket that is asked for. Throws InvalidBucketName. */
export function requireBucketName(name: string): void {
  if (!BUCKET.test(name)) throw failure('InvalidBucketName');
}

/** Of a bucket that is to be made. Throws InvalidBucketName. */
export function requireNewBucketName(name: string): void {
  requireBucketName(name);
  if (name.trim() !== name || name.endsWith(RESERVED_ENDING) || isDotSegment(name)) {
    throw failure('InvalidBucketName');
  }
}

const PLACEHOLDER = '.emptyFolderPlaceholder';

/** An object that only stands for its folder: it is empty, and of any type. */
export function isPlaceholder(key: string): boolean {
  return key.endsWith(PLACEHOLDER);
}
