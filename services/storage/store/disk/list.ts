/** Lists a content folder in batches. */
import type { Dir } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredContent } from '../object-store.ts';
import { codeOf } from './disk-error.ts';
import { isVersion, type Paths, SHARDS } from './paths.ts';

const BATCH_SIZE = 500;
type Kind = StoredContent['kind'];

/** Lists content, unfinished writes and multipart uploads older than `before`. */
export async function* listContent(paths: Paths, before: Date): AsyncGenerator<StoredContent[]> {
  yield* listFolder(paths.incoming, 'content', before);
  yield* listFolder(paths.parts, 'parts', before);
  for (const shard of SHARDS) yield* listFolder(paths.shard(shard), 'content', before);
}

async function* listFolder(folder: string, kind: Kind, before: Date): AsyncGenerator<StoredContent[]> {
  let versions: string[] = [];
  for await (const { name } of await openFolder(folder)) {
    // Skips foreign files.
    if (isVersion(name)) versions.push(name);
    if (versions.length < BATCH_SIZE) continue;
    yield await olderThan(folder, versions, kind, before);
    versions = [];
  }
  if (versions.length > 0) yield await olderThan(folder, versions, kind, before);
}

async function openFolder(folder: string): Promise<Dir | []> {
  try {
    return await opendir(folder, { bufferSize: BATCH_SIZE });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Compares `ctime` instead of `mtime`: a copy may be a new hard link to a file with old bytes. */
async function olderThan(
  folder: string,
  versions: readonly string[],
  kind: Kind,
  before: Date,
): Promise<StoredContent[]> {
  const ages = await Promise.all(
    versions.map((version) => stat(join(folder, version)).catch(() => undefined)),
  );
  return versions
    .filter((_, index) => (ages[index]?.ctimeMs ?? Number.POSITIVE_INFINITY) < before.getTime())
    .map((version) => storedContent(kind, version));
}

function storedContent(kind: Kind, version: string): StoredContent {
  const name = { bucket: '', key: '', version };
  return kind === 'content' ? { kind, name } : { kind, upload: { ...name, uploadId: version } };
}
