/** Checks the chunks that backups and rounds refer to. */
import type { Archive } from '../archive/archive.ts';
import { readReferences } from '../archive/backups/backups.ts';
import type { Manifest } from '../archive/backups/manifest.ts';
import { MIN_BLOB_BYTES } from '../archive/blob.ts';
import { ChunkIds, chunkIdOf, chunkName, idsIn } from '../archive/chunks/chunk-ids.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { inParallel } from './in-parallel.ts';

/** Chunks that are read at the same time. */
const MAX_CONCURRENT = 12;

/** Chunks that are missing or damaged, by their ids. */
type DamagedChunks = ReadonlyMap<string, ArchiveError>;

/** Result of checking chunks. */
interface ChunkReport {
  damaged: DamagedChunks;
  checked: number;
  bytes: number;
}

/**
 * Checks the existence and the size of all needed chunks, and with an archive also their content.
 * @param needed sorted ids
 */
export async function checkChunks(
  store: ArchiveStore,
  archive: Archive | undefined,
  needed: ChunkIds,
): Promise<ChunkReport> {
  const damaged = new Map<string, ArchiveError>();
  const { listed, short, bytes } = await listSizes(store, needed);
  for (const id of idsIn(needed.toBuffer())) {
    const size = short.get(id);
    if (size !== undefined)
      damaged.set(
        id,
        new ArchiveError(
          'damaged',
          `${chunkName(id)} in ${store.location} is damaged: it has only ${size} bytes`,
        ),
      );
    else if (!listed.has(id))
      damaged.set(id, new ArchiveError('missing', `${chunkName(id)} is missing in ${store.location}`));
  }
  if (archive !== undefined) await readChunks(archive, needed, damaged);
  return { damaged, checked: needed.size, bytes };
}

/** Finds the needed chunks in the list of the store. */
async function listSizes(
  store: ArchiveStore,
  needed: ChunkIds,
): Promise<{ listed: ChunkIds; short: Map<string, number>; bytes: number }> {
  const listed = new ChunkIds();
  const short = new Map<string, number>();
  let bytes = 0;
  for await (const batch of store.list('chunks/')) {
    for (const { name, size } of batch) {
      const id = chunkIdOf(name);
      if (id === undefined || !needed.has(id)) continue;
      bytes += size;
      if (size < MIN_BLOB_BYTES) short.set(id, size);
      else listed.add(id);
    }
  }
  return { listed, short, bytes };
}

async function readChunks(
  archive: Archive,
  needed: ChunkIds,
  damaged: Map<string, ArchiveError>,
): Promise<void> {
  const reader = createChunkReader(archive);
  await inParallel(idsIn(needed.toBuffer()), MAX_CONCURRENT, async (id) => {
    if (damaged.has(id)) return;
    try {
      await reader.read(id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damaged.set(id, error);
    }
  });
}

/** Whether an error is about the blob. Others, e.g. of a place that is away or of a wrong key, end the check. */
export function isDamage(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError && (error.kind === 'missing' || error.kind === 'damaged');
}

/** Returns the ids of the backups that need each damaged chunk. */
export async function backupsOfChunks(
  store: ArchiveStore,
  manifests: readonly Manifest[],
  damaged: DamagedChunks,
): Promise<ReadonlyMap<string, string[]>> {
  const affected = new Map([...damaged.keys()].map((id): [string, string[]] => [id, []]));
  if (affected.size === 0) return affected;
  for (const manifest of manifests) {
    const references = new ChunkIds(await readReferences(store, manifest));
    for (const [id, backups] of affected) if (references.has(id)) backups.push(manifest.id);
  }
  return affected;
}
