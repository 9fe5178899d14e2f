/**
 * Where files are below the folder of a store. Paths are built from UUIDs and hexadecimal digits that have been checked,
 * and never from names that a client has chosen.
 */
import { join } from 'node:path';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const E_TAG = /^"?([0-9a-f]{32})"?$/;

/** All names of folders below `objects/`: the first two digits of versions. */
export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, i) =>
  i.toString(16).padStart(2, '0'),
);

/** Paths below one folder. */
export interface Paths {
  root: string;
  /** What is being written; nothing in it outlives a start. */
  incoming: string;
  /** One folder for each upload in parts. */
  parts: string;
  objects: string;
  /** One folder for each day. */
  quarantine: string;
  /** The file with the id of the instance. Its name is no version, so it cannot be that of content. */
  instanceId: string;
  shard(name: string): string;
}

/** Paths below `folder`. */
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

/** Whether a text can be the name of content. */
export function isVersion(text: string): boolean {
  return UUID.test(text);
}

/** Folder and file of content; undefined where the version is none: rows can be written by SQL. */
export function contentPath(paths: Paths, version: string): { folder: string; file: string } | undefined {
  if (!isVersion(version)) return undefined;
  const folder = paths.shard(version.slice(0, 2));
  return { folder, file: join(folder, version) };
}

/** Folder of an upload in parts. */
export function uploadFolder(paths: Paths, uploadId: string): string | undefined {
  return isVersion(uploadId) ? join(paths.parts, uploadId) : undefined;
}

/** A part is named by its content too: one that is sent again cannot be taken for the one before. */
export function partFile(folder: string, partNumber: number, eTag: string): string | undefined {
  const md5 = E_TAG.exec(eTag)?.[1];
  if (md5 === undefined || !Number.isSafeInteger(partNumber) || partNumber < 1) return undefined;
  return join(folder, `${partNumber}-${md5}`);
}
