/** Lists the chunks of an archive. */
import type { ArchiveStore } from '../../store/archive-store.ts';
import { MIN_BLOB_BYTES } from '../blob.ts';
import { CHUNK_ID_BYTES, ChunkIds, chunkIdOf } from './chunk-ids.ts';

const FIRST_CAPACITY = 1024 * CHUNK_ID_BYTES;

/**
 * Returns the ids of all stored chunks. A chunk that is too short for a blob, e.g. after a loss of power of its place, is
 * left out, so that it is written again.
 */
export async function listChunks(store: ArchiveStore): Promise<ChunkIds> {
  let ids = Buffer.alloc(FIRST_CAPACITY);
  let length = 0;
  for await (const batch of store.list('chunks/')) {
    for (const { name, size } of batch) {
      const id = chunkIdOf(name);
      if (id === undefined || size < MIN_BLOB_BYTES) continue;
      if (length === ids.length) ids = Buffer.concat([ids, Buffer.alloc(length)]);
      length += ids.write(id, length, 'hex');
    }
  }
  return new ChunkIds(sorted(ids.subarray(0, length)));
}

/** Returns ids in ascending order. Most stores list them in this order. */
function sorted(ids: Buffer): Buffer {
  let isSorted = true;
  for (let at = CHUNK_ID_BYTES; at < ids.length && isSorted; at += CHUNK_ID_BYTES)
    isSorted = ids.compare(ids, at - CHUNK_ID_BYTES, at, at, at + CHUNK_ID_BYTES) > 0;
  if (isSorted) return ids;
  const all = Array.from({ length: ids.length / CHUNK_ID_BYTES }, (_, index) =>
    ids.subarray(index * CHUNK_ID_BYTES, (index + 1) * CHUNK_ID_BYTES),
  );
  return Buffer.concat(all.toSorted(Buffer.compare));
}
