/** Writes pieces of the log to an archive, and finds the last one. */
import type { Archive } from '../archive/archive.ts';
import { isArchiveError } from '../errors.ts';
import { listPieces, readPiece } from './archived-log.ts';
import type { BufferedPiece } from './log-buffer.ts';
import { type LogLineage, type LogRange, pieceName } from './pieces.ts';
import { TailCheck } from './starting-point.ts';

/** Stores a piece, then removes the shorter one that it replaces. Can be repeated after an error. */
export async function storePiece(
  archive: Archive,
  lineage: LogLineage,
  { start, end, bytes, replaces }: BufferedPiece,
): Promise<void> {
  await archive.putBlob(pieceName(lineage, { start, end }), bytes);
  if (replaces !== undefined) await archive.store.remove([pieceName(lineage, replaces)]);
}

/**
 * Returns a check of the last piece of a log; undefined if it has none. Removes pieces that were replaced before a process
 * was killed, and damaged ones at the end, so that they are shipped again.
 */
export async function readTail(archive: Archive, lineage: LogLineage): Promise<TailCheck | undefined> {
  const pieces = await listPieces(archive.store, lineage);
  const longest = new Map<bigint, LogRange>();
  const replaced: LogRange[] = [];
  for (const piece of pieces) {
    const other = longest.get(piece.start);
    if (other === undefined || piece.end > other.end) longest.set(piece.start, piece);
    if (other !== undefined) replaced.push(piece.end > other.end ? other : piece);
  }
  if (replaced.length > 0) await archive.store.remove(replaced.map((piece) => pieceName(lineage, piece)));
  const oldestFirst = [...longest.values()].toSorted((one, other) => (one.end < other.end ? -1 : 1));
  for (let last = oldestFirst.pop(); last !== undefined; last = oldestFirst.pop()) {
    try {
      return new TailCheck(last, await readPiece(archive, lineage, last));
    } catch (error) {
      // A process that only writes cannot compare.
      if (isArchiveError(error, 'wrongKey')) return new TailCheck(last, undefined);
      if (!isArchiveError(error, 'damaged') && !isArchiveError(error, 'missing')) throw error;
      await archive.store.remove([pieceName(lineage, last)]);
    }
  }
  return undefined;
}
