/** Names of content as keys of an S3 store: `<bucket>/<key>/<version>`. */
import type { ContentName } from '../object-store.ts';

const KEY =
  /^(?<bucket>[^/]+)\/(?<key>.+)\/(?<version>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/s;

/** The key of content. */
export function keyOf({ bucket, key, version }: ContentName): string {
  return `${bucket}/${key}/${version}`;
}

/** The content of a key; undefined for keys that we have not made. */
export function parseKey(text: string): ContentName | undefined {
  const { bucket, key, version } = KEY.exec(text)?.groups ?? {};
  if (bucket === undefined || key === undefined || version === undefined) return undefined;
  return { bucket, key, version };
}
