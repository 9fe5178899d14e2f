/** What a request of the S3 protocol is about: all buckets, one of them, or an object. Buckets are a part of the path. */
import { failure } from '../../errors.ts';

/** Empty texts where the path does not say. */
export interface Target {
  bucket: string;
  key: string;
}

/** Reads the path below the protocol's own: `/bucket/some/key`. Throws InvalidRequest. */
export function readTarget(path: string): Target {
  const [bucket = '', ...rest] = path.replace(/^\//, '').split('/');
  return { bucket: decode(bucket), key: decode(rest.join('/')) };
}

/** Reads header `x-amz-copy-source`: `[/]bucket/key[?versionId=…]`, encoded. Throws InvalidRequest. */
export function readCopySource(header: string): Target {
  const { bucket, key } = readTarget(header.replace(/\?versionId=[^?]*$/, ''));
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
