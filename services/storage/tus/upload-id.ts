/** Ids of uploads: `<bucket>/<key>/<version>`, encoded as base64url in URLs, as in the hosted service. */
import type { ContentName } from '../store/object-store.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Encodes an id as the last segment of an upload's URL. */
export function uploadPath(id: string): string {
  return Buffer.from(id, 'utf8').toString('base64url');
}

/** Decodes {@link uploadPath}. */
export function uploadIdOfPath(path: string): string {
  return Buffer.from(path, 'base64url').toString('utf8');
}

/** Builds the id of an upload. */
export function uploadId({ bucket, key, version }: ContentName): string {
  return `${bucket}/${key}/${version}`;
}

/** Parses an id; undefined if it is malformed. */
export function parseUploadId(id: string): ContentName | undefined {
  const first = id.indexOf('/');
  const last = id.lastIndexOf('/');
  const version = id.slice(last + 1);
  if (first < 1 || last <= first + 1 || !UUID.test(version)) return undefined;
  return { bucket: id.slice(0, first), key: id.slice(first + 1, last), version };
}
