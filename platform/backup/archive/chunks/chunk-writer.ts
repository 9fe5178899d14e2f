/**
 * Stores chunks that the archive does not have. The ids of existing chunks are listed once. Their removal meanwhile is
 * excluded by a lease: chunks are written under the lease of maintenance or of the log, and pruning holds both.
 */
import type { Archive } from '../archive.ts';
import type { Pace } from '../pace.ts';
import { ChunkIds, chunkName } from './chunk-ids.ts';

/** Usual size of a chunk. */
export const CHUNK_BYTES = 1024 * 1024;
/**
 * Chunks that are encoded and stored at the same time. Each needs its content and an encoded copy, and some stores one
 * more copy: about 48 MiB.
 */
const MAX_CONCURRENT = 16;

/** Counts of a writer. */
interface ChunkCounts {
  /** Different chunks that were written or that existed. */
  chunks: number;
  /** Chunks that did not exist, and their bytes in the archive. */
  storedChunks: number;
  storedBytes: number;
}

/** Writes chunks. */
export interface ChunkWriter {
  /**
   * Stores a chunk of at most `CHUNK_BYTES` unless it exists, and resolves with its id as soon as there is room for it.
   * The content must not change afterwards. Rejects with the error of an earlier chunk.
   */
  write(plain: Uint8Array): Promise<string>;
  /** Records a chunk of an earlier backup as needed by this one, without writing it. Throws if it does not exist. */
  reuse(id: string): void;
  /** Whether the archive has a chunk. */
  has(id: string): boolean;
  /** Resolves when all chunks are stored and durable. Rejects with the first error. */
  finish(): Promise<void>;
  readonly counts: Readonly<ChunkCounts>;
  /** The limit of its rate. */
  readonly pace: Pace | undefined;
  /** Returns the sorted ids of all chunks that were written or existed, 32 bytes each. */
  references(): Buffer;
}

/**
 * Returns a writer.
 * @param existing the result of `listChunks`; the writer adds ids
 */
export function createChunkWriter(archive: Archive, existing: ChunkIds): ChunkWriter {
  const needed = new ChunkIds();
  const counts: ChunkCounts = { chunks: 0, storedChunks: 0, storedBytes: 0 };
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  function record(id: string): void {
    if (needed.add(id)) counts.chunks++;
  }

  async function store(id: string, plain: Uint8Array): Promise<void> {
    try {
      const bytes = await archive.putBlobLater(chunkName(id), plain);
      counts.storedBytes += bytes;
      counts.storedChunks++;
    } catch (error) {
      failure ??= { error };
    }
  }

  function start(id: string, plain: Uint8Array): void {
    const work = store(id, plain).finally(() => pending.delete(work));
    pending.add(work);
  }

  function requireNoFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    async write(plain) {
      await archive.pace?.pass(plain.length);
      const id = archive.chunkIdOf(plain);
      record(id);
      if (existing.add(id)) {
        while (pending.size >= MAX_CONCURRENT) await Promise.race(pending);
        start(id, plain);
      }
      requireNoFailure();
      return id;
    },
    reuse(id) {
      if (!existing.has(id)) throw new RangeError(`${chunkName(id)} does not exist`);
      record(id);
    },
    has: (id) => existing.has(id),
    async finish() {
      while (pending.size > 0) await Promise.all(pending);
      requireNoFailure();
      await archive.store.flush();
    },
    counts,
    pace: archive.pace,
    references: () => needed.toBuffer(),
  };
}
