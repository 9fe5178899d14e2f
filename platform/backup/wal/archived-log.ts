/** Reads the log of an archive as the segments that PostgreSQL recovers from. */
import { SEGMENT_BYTES } from '@greenroom/postgres';
import type { Archive } from '../archive/archive.ts';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import {
  coveredUntil,
  type LogLineage,
  type LogRange,
  logFolder,
  parsePieceName,
  pieceName,
  requirePieces,
} from './pieces.ts';

/** Returns the ranges of all stored pieces of a log, ascending by their start. */
export async function listPieces(store: ArchiveStore, lineage: LogLineage): Promise<LogRange[]> {
  const pieces: LogRange[] = [];
  for await (const batch of store.list(logFolder(lineage))) {
    for (const { name } of batch) {
      const piece = parsePieceName(name);
      if (piece !== undefined) pieces.push(piece);
    }
  }
  return pieces;
}

/** The stored log of a cluster. Its end is that of the time when it was opened. */
export class ArchivedLog {
  readonly #archive: Archive;
  readonly #lineage: LogLineage;
  #pieces: readonly LogRange[];

  private constructor(archive: Archive, lineage: LogLineage, pieces: readonly LogRange[]) {
    this.#archive = archive;
    this.#lineage = lineage;
    this.#pieces = pieces;
  }

  /** Lists the pieces of a log. */
  static async open(archive: Archive, lineage: LogLineage): Promise<ArchivedLog> {
    return new ArchivedLog(archive, lineage, await listPieces(archive.store, lineage));
  }

  /** Returns the position up to which the log is stored without a gap; `start` itself if nothing is stored there. */
  coveredUntil(start: bigint): bigint {
    return coveredUntil(this.#pieces, start);
  }

  /** Throws kind `missing` with the first missing range. */
  requireRange(range: LogRange): void {
    requirePieces(this.#pieces, range, this.#lineage);
  }

  /**
   * Returns a function that reads the segments of a range for a recovery: undefined for segments after its end and of other
   * timelines. Bytes after the end are zeros. The function rejects with kind `missing` or `damaged`.
   */
  segmentsUntil(end: bigint): (timeline: number, start: bigint) => Promise<Buffer | undefined> {
    return async (timeline, start) => {
      if (timeline !== this.#lineage.timeline || start >= end) return undefined;
      const segmentEnd = start + BigInt(SEGMENT_BYTES);
      return this.#read({ start, end: segmentEnd < end ? segmentEnd : end });
    };
  }

  /** A shipper may replace a piece after it was listed; the longer one has a new name. */
  async #read(range: LogRange): Promise<Buffer> {
    try {
      return await this.#readListed(range);
    } catch (error) {
      if (!(error instanceof ArchiveError) || error.kind !== 'missing') throw error;
      this.#pieces = await listPieces(this.#archive.store, this.#lineage);
      return this.#readListed(range);
    }
  }

  async #readListed(range: LogRange): Promise<Buffer> {
    const segment = Buffer.alloc(SEGMENT_BYTES);
    const pieces = requirePieces(this.#pieces, range, this.#lineage);
    await Promise.all(pieces.map((piece) => this.#copyPiece(piece, range, segment)));
    return segment;
  }

  async #copyPiece(piece: LogRange, range: LogRange, segment: Buffer): Promise<void> {
    const bytes = await readPiece(this.#archive, this.#lineage, piece);
    const [from, to] = [max(piece.start, range.start), min(piece.end, range.end)];
    bytes.copy(segment, Number(from - range.start), Number(from - piece.start), Number(to - piece.start));
  }
}

/** Returns the bytes of a stored piece. Rejects with kind `missing` or `damaged`. */
export async function readPiece(archive: Archive, lineage: LogLineage, piece: LogRange): Promise<Buffer> {
  const name = pieceName(lineage, piece);
  const bytes = await archive.getBlob(name);
  if (BigInt(bytes.length) === piece.end - piece.start) return bytes;
  throw new ArchiveError('damaged', `${name} is damaged: it has ${bytes.length} bytes of the log`);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
