/** Paths of objects: `/:bucket/*`. */

import { requireBucketName } from '../validate/names.ts';

/** Route parameters, decoded once. */
export interface ObjectParams {
  bucketName: string;
  '*': string;
}

/**
 * Returns bucket and key of a path. Throws InvalidBucketName. The key is not validated: an invalid key is not found.
 */
export function objectPathOf({ params }: { params: ObjectParams }): ObjectPath {
  requireBucketName(params.bucketName);
  return { bucket: params.bucketName, key: params['*'] };
}

/** Bucket and key of an object. */
export interface ObjectPath {
  bucket: string;
  key: string;
}
