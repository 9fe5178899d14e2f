/** Parses the target of a request: all buckets, a bucket, or an object. Buckets are addressed by path. */
import { failure } from '../../errors.ts';

/** Fields are empty if the path does not contain them. */
export interface Target {
  bucket: string;
  key: string;
}

/** Parses a path below the protocol's prefix: `/bucket/some/key`. Throws InvalidRequest. */
export function readTarget(path: string): Target {
  const [bucket = '', ...rest] = path.replace(/^\//, '').split('/');
  return { bucket: decode(bucket), key: decode(rest.join('/')) };
}

/**
 * Parses the header `x-amz-copy-source`: `[/]bucket/key[?versionId=…]`. All of it may be percent-encoded, including the
 * slashes. Throws InvalidRequest and MissingParameter.
 */
export function readCopySource(header: string): Target {
  const path = decode(header.replace(/\?versionId=[^?]*$/, '')).replace(/^\//, '');
  const [bucket = '', ...rest] = path.split('/');
  const key = rest.join('/');
  if (bucket === '' || key === '')
    throw failure('MissingParameter', { message: 'Missing Required Parameter CopySource' });
  return { bucket, key };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw failure('InvalidRequest', { message: 'The path is not percent-encoded UTF-8' });
  }
}
