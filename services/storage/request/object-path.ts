/** Which object a path names: `/:bucket/*`. */

import { requireBucketName } from '../validate/names.ts';

/** Parameters of such routes, decoded once. */
export interface ObjectParams {
  bucketName: string;
  '*': string;
}

/** Throws InvalidBucketName. What there is no object of is found out by looking for it. */
export function objectPathOf({ params }: { params: ObjectParams }): ObjectPath {
  requireBucketName(params.bucketName);
  return { bucket: params.bucketName, key: params['*'] };
}

/** Which object. */
export interface ObjectPath {
  bucket: string;
  key: string;
}
