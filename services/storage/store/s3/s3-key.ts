/**
 * Keys of an S3 store:
 *
 *     <bucket>/<key>/<version>                                       content
 *     .greenroom/instance-id                                         the instance that the content belongs to
 *     .greenroom/quarantine/<bucket>/<key>/<version>.<date>          content without a row
 *     .greenroom/quarantine/<bucket>/<key>/<version>.<date>.upload   record of a multipart upload without a row
 *
 * A bucket may be named `.greenroom`. This causes no conflict, because only keys of content end with a version.
 */
import type { ContentName, StoredContent } from '../object-store.ts';
import { startOfDay } from '../quarantine-day.ts';

export const INSTANCE_ID_KEY = '.greenroom/instance-id';
/** Prefix of all keys in quarantine. */
export const QUARANTINE_PREFIX = '.greenroom/quarantine/';
const UPLOAD = '.upload';
/** Longest key that stores accept. */
const MAX_KEY_BYTES = 1024;
const QUARANTINE_KEY =
  /^\.greenroom\/quarantine\/(?<name>.+)\.(?<day>\d{4}-\d{2}-\d{2})(?<upload>\.upload)?$/s;

const KEY =
  /^(?<bucket>[^/]+)\/(?<key>.+)\/(?<version>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/s;

/** Returns the key of content. */
export function keyOf({ bucket, key, version }: ContentName): string {
  return `${bucket}/${key}/${version}`;
}

/** Parses the key of content; undefined for other keys. */
export function parseKey(text: string): ContentName | undefined {
  const { bucket, key, version } = KEY.exec(text)?.groups ?? {};
  if (bucket === undefined || key === undefined || version === undefined) return undefined;
  return { bucket, key, version };
}

/** Returns the prefix of all quarantine keys of one content, for any date. */
export function quarantinePrefixOf(name: ContentName): string {
  return `${QUARANTINE_PREFIX}${keyOf(name)}.`;
}

/** Returns the key in quarantine; undefined if it would be too long for a store. */
export function quarantineKeyOf(
  name: ContentName,
  kind: StoredContent['kind'],
  day: string,
): string | undefined {
  const key = `${quarantinePrefixOf(name)}${day}${kind === 'parts' ? UPLOAD : ''}`;
  return Buffer.byteLength(key) > MAX_KEY_BYTES ? undefined : key;
}

/** Parses a quarantine key; undefined for other keys. */
export function parseQuarantineKey(
  text: string,
): { name: ContentName; kind: StoredContent['kind']; since: Date } | undefined {
  const groups = QUARANTINE_KEY.exec(text)?.groups ?? {};
  const name = parseKey(groups.name ?? '');
  const since = startOfDay(groups.day ?? '');
  if (name === undefined || since === undefined) return undefined;
  return { name, kind: groups.upload === undefined ? 'content' : 'parts', since };
}
