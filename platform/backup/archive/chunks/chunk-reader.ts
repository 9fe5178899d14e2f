/** Reads chunks, ahead of their use and several at the same time. */
import { ArchiveError } from '../../errors.ts';
import type { Archive } from '../archive.ts';
import { chunkName } from './chunk-ids.ts';

/** Chunks that are read ahead of the one in use. */
const READ_AHEAD = 8;
/** Chunks that are kept after their use: small files follow each other in one chunk. */
const KEPT_CHUNKS = 16;

/** A part of a chunk: id, offset and length in bytes. */
export type Piece = readonly [chunk: string, offset: number, length: number];

/** Reads chunks. */
export interface ChunkReader {
  /** Reads a whole chunk. Rejects with kind `missing`, `damaged` or `wrongKey`. Callers must not change the bytes. */
  read(id: string): Promise<Buffer>;
  /** Yields the bytes of pieces in their order. */
  stream(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Buffer>;
}

/** Returns a reader, which keeps at most 24 chunks in memory for one stream. */
export function createChunkReader(archive: Archive): ChunkReader {
  /** Least recently used first. */
  const kept = new Map<string, Promise<Buffer>>();

  async function load(id: string): Promise<Buffer> {
    const plain = await archive.getBlob(chunkName(id));
    await archive.pace?.pass(plain.length);
    // Finds chunks that were written with a wrong id, e.g. by a machine with broken memory.
    if (archive.isChunk(id, plain)) return plain;
    throw new ArchiveError(
      'damaged',
      `${chunkName(id)} is damaged: its content has another id (${archive.store.location})`,
    );
  }

  function read(id: string): Promise<Buffer> {
    const loading = kept.get(id) ?? load(id);
    kept.delete(id);
    kept.set(id, loading);
    loading.catch(() => kept.delete(id));
    const [oldest] = kept.keys();
    if (kept.size > KEPT_CHUNKS && oldest !== undefined) kept.delete(oldest);
    return loading;
  }

  async function* stream(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Buffer> {
    const ahead: { piece: Piece; loading: Promise<Buffer> }[] = [];
    for await (const piece of pieces) {
      const loading = read(piece[0]);
      // Its error is thrown when the piece is next.
      loading.catch(() => {});
      ahead.push({ piece, loading });
      if (ahead.length > READ_AHEAD) yield await next(ahead);
    }
    while (ahead.length > 0) yield await next(ahead);
  }

  return { read, stream };
}

async function next(ahead: { piece: Piece; loading: Promise<Buffer> }[]): Promise<Buffer> {
  const first = ahead.shift();
  if (first === undefined) throw new RangeError('no piece is left');
  const [id, offset, length] = first.piece;
  const bytes = (await first.loading).subarray(offset, offset + length);
  if (bytes.length === length) return bytes;
  throw new ArchiveError('damaged', `${chunkName(id)} has no ${length} bytes at ${offset}`);
}
