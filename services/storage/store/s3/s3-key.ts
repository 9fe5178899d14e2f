/**
 * Keys of an S3 store:
 *
 *     <bucket>/<key>/<version>                                            content
 *     .greenroom/instance-id                                              which instance it belongs to
 *     .greenroom/quarantine/<bucket>/<key>/<version>.<date>               content without a row
 *     .greenroom/quarantine/<bucket>/<key>/<version>.<date>.upload        note of an upload in parts without a row
 *
 * A bucket may be called `.greenroom`. Keys of content end with a version all the same, and the others never do.
 */
import type { ContentName, StoredContent } from '../object-store.ts';
import { startOfDay } from '../quarantine-day.ts';

/** The key of the id of the instance. */
export const INSTANCE_ID_KEY = '.greenroom/instance-id';
/** The beginning of all keys in quarantine. */
export const QUARANTINE_PREFIX = '.greenroom/quarantine/';
const UPLOAD = '.upload';
/** Stores take no longer key. */
const MOST_KEY_BYTES = 1024;
const QUARANTINE_KEY =
  /^\.greenroom\/quarantine\/(?<name>.+)\.(?<day>\d{4}-\d{2}-\d{2})(?<upload>\.upload)?$/s;

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

/** The beginning of all quarantine keys of one content, on any date. */
export function quarantinePrefixOf(name: ContentName): string {
  return `${QUARANTINE_PREFIX}${keyOf(name)}.`;
}

/** The key in quarantine; undefined where it would be too long for a store. */
export function quarantineKeyOf(
  name: ContentName,
  kind: StoredContent['kind'],
  day: string,
): string | undefined {
  const key = `${quarantinePrefixOf(name)}${day}${kind === 'parts' ? UPLOAD : ''}`;
  return Buffer.byteLength(key) > MOST_KEY_BYTES ? undefined : key;
}

/** What is at a key of quarantine; undefined for keys that we have not made. */
export function parseQuarantineKey(
  text: string,
): { name: ContentName; kind: StoredContent['kind']; since: Date } | undefined {
  const groups = QUARANTINE_KEY.exec(text)?.groups ?? {};
  const name = parseKey(groups.name ?? '');
  const since = startOfDay(groups.day ?? '');
  if (name === undefined || since === undefined) return undefined;
  return { name, kind: groups.upload === undefined ? 'content' : 'parts', since };
}
