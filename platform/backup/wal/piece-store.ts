/** Writes pieces of the log to an archive, and finds the last one. */
import type { Archive } from '../archive/archive.ts';
import { isArchiveError } from '../errors.ts';
import { listPieces, readPiece } from './archived-log.ts';
import type { BufferedPiece } from './log-buffer.ts';
import { type LogLineage, type LogRange, pieceName } from './pieces.ts';
import { LogTail, type TailContent } from './starting-point.ts';

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
 * Returns the last piece of a log; undefined if it has none. Removes pieces that were replaced before a process was killed.
 */
export async function readTail(archive: Archive, lineage: LogLineage): Promise<LogTail | undefined> {
  const pieces = await listPieces(archive.store, lineage);
  const longest = new Map<bigint, LogRange>();
  const replaced: LogRange[] = [];
  for (const piece of pieces) {
    const other = longest.get(piece.start);
    if (other === undefined || piece.end > other.end) longest.set(piece.start, piece);
    if (other !== undefined) replaced.push(piece.end > other.end ? other : piece);
  }
  if (replaced.length > 0) await archive.store.remove(replaced.map((piece) => pieceName(lineage, piece)));
  const last = [...longest.values()].reduce<LogRange | undefined>(
    (newest, piece) => (newest !== undefined && newest.end >= piece.end ? newest : piece),
    undefined,
  );
  return last && new LogTail(last, await readLast(archive, lineage, last));
}

/** A damaged piece is stored again, and a process that only writes does not compare the piece. */
async function readLast(archive: Archive, lineage: LogLineage, piece: LogRange): Promise<TailContent> {
  try {
    return await readPiece(archive, lineage, piece);
  } catch (error) {
    if (isArchiveError(error, 'wrongKey')) return 'unknown';
    if (isArchiveError(error, 'damaged')) return 'damaged';
    throw error;
  }
}

/** Removes a damaged last piece before its log is stored again: the new piece may be shorter. */
export async function removeTail(archive: Archive, lineage: LogLineage, { range }: LogTail): Promise<void> {
  await archive.store.remove([pieceName(lineage, range)]);
}
