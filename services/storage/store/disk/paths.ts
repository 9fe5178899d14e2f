/**
 * Paths of files below the folder of a store. They are built only from validated UUIDs and hexadecimal digits, never
 * from names that a client has chosen.
 */
import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const E_TAG = /^"?([0-9a-f]{32})"?$/;

/** Names of the folders below `objects/`: the first two digits of versions. */
export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, i) =>
  i.toString(16).padStart(2, '0'),
);

/** Paths below one folder. */
export interface Paths {
  root: string;
  /** Unfinished writes. Files that a crash leaves here are swept after the next start. */
  incoming: string;
  /** One folder per multipart upload. */
  parts: string;
  objects: string;
  /** One folder per day. */
  quarantine: string;
  /** The file with the id of the instance. Its name is not a UUID, so it cannot collide with content. */
  instanceId: string;
  shard(name: string): string;
}

/** Builds the paths below `folder`. */
export function pathsBelow(folder: string): Paths {
  const incoming = join(folder, 'incoming');
  const objects = join(folder, 'objects');
  return {
    root: folder,
    incoming,
    parts: join(incoming, 'parts'),
    objects,
    quarantine: join(folder, 'quarantine'),
    instanceId: join(folder, 'instance-id'),
    shard: (name) => join(objects, name),
  };
}

/** Whether a text is a version, a UUID in lower case. */
export function isVersion(text: string): boolean {
  return UUID.test(text);
}

/** Returns the folder and file of content; undefined if the version is not a UUID, as in rows inserted by SQL. */
export function contentPath(paths: Paths, version: string): { folder: string; file: string } | undefined {
  if (!isVersion(version)) return undefined;
  const folder = paths.shard(version.slice(0, 2));
  return { folder, file: join(folder, version) };
}

/** Returns the folder of a multipart upload; undefined if the id is not a UUID. */
export function uploadFolder(paths: Paths, uploadId: string): string | undefined {
  return isVersion(uploadId) ? join(paths.parts, uploadId) : undefined;
}

/** Returns the file of a part. Its name includes the MD5, so a part that is uploaded again has a different name. */
export function partFile(folder: string, partNumber: number, eTag: string): string | undefined {
  const md5 = E_TAG.exec(eTag)?.[1];
  if (md5 === undefined || !Number.isSafeInteger(partNumber) || partNumber < 1) return undefined;
  return join(folder, `${partNumber}-${md5}`);
}
