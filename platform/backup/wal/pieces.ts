/**
 * Pieces of the write-ahead log in an archive, `wal/<system id>-<timeline>/<start>-<end>`: their names, their limits, and
 * the ranges that they cover. Pure.
 */
import { formatLsn, SEGMENT_BYTES } from '@greenroom/postgres';
import { lineageOf, logPieceName, parseLogPiece } from '../archive/layout.ts';
import { ArchiveError } from '../errors.ts';

/** The cluster and the timeline that a log belongs to. */
export interface LogLineage {
  systemId: string;
  timeline: number;
}

/** A range of the log: from `start` on, without `end`. */
export interface LogRange {
  start: bigint;
  end: bigint;
}

/**
 * Most bytes of a piece, half a segment: two of them are in memory while the archive is slow. Pieces end at multiples of
 * it, and so at the ends of segments.
 */
export const PIECE_BYTES = SEGMENT_BYTES / 2;
/** A piece of this size is never replaced by a longer one. */
export const CLOSED_PIECE_BYTES = 256 * 1024;

/** Returns the folder of a log in an archive, with `/` at its end. */
export function logFolder(lineage: LogLineage): string {
  return `wal/${lineageOf(lineage)}/`;
}

/** Returns the name of a piece in an archive. */
export function pieceName(lineage: LogLineage, { start, end }: LogRange): string {
  return logPieceName({ lineage: lineageOf(lineage), start: positionText(start), end: positionText(end) });
}

/** Returns the range of the piece with this name; undefined for another name. */
export function parsePieceName(name: string): LogRange | undefined {
  const piece = parseLogPiece(name);
  if (piece === undefined) return undefined;
  const range = { start: BigInt(`0x${piece.start}`), end: BigInt(`0x${piece.end}`) };
  return range.start < range.end ? range : undefined;
}

/** Returns a position as it is in names and manifests: 16 hexadecimal digits. */
export function positionText(lsn: bigint): string {
  return lsn.toString(16).toUpperCase().padStart(16, '0');
}

/** Returns the position at which a piece from `start` on ends at the latest. */
export function pieceLimit(start: bigint): bigint {
  const bytes = BigInt(PIECE_BYTES);
  return start - (start % bytes) + bytes;
}

/** Whether a stored piece stays as it is: it is long enough or ends at its limit. */
export function isClosed({ start, end }: LogRange): boolean {
  return end - start >= BigInt(CLOSED_PIECE_BYTES) || end === pieceLimit(start);
}

/**
 * Returns the end of the contiguous range from `start` on; `start` itself if no piece contains that position.
 * @param pieces in any order; they may overlap, because a longer piece replaces a shorter one
 */
export function coveredUntil(pieces: readonly LogRange[], start: bigint): bigint {
  return chainOf(pieces, start).at(-1)?.end ?? start;
}

/** Returns pieces that cover a range, in their order. Throws kind `missing` with the first range that is not covered. */
export function requirePieces(pieces: readonly LogRange[], range: LogRange, lineage: LogLineage): LogRange[] {
  const chain = chainOf(pieces, range.start);
  const end = chain.at(-1)?.end ?? range.start;
  if (end >= range.end) return chain.filter(({ start }) => start < range.end);
  const following = pieces.filter(({ start }) => start > end && start < range.end).map(({ start }) => start);
  const until = following.reduce((first, start) => (start < first ? start : first), range.end);
  throw new ArchiveError(
    'missing',
    `the log from ${formatLsn(end)} to ${formatLsn(until)} is missing in ${logFolder(lineage)}: restore to a time before it, or another backup`,
  );
}

/** Returns the pieces that continue each other, from the one that contains `start` on. */
export function chainOf<Piece extends LogRange>(pieces: readonly Piece[], start: bigint): Piece[] {
  const sorted = pieces.toSorted((a, b) => compare(a.start, b.start) || compare(b.end, a.end));
  const chain: Piece[] = [];
  let position = start;
  let best: Piece | undefined;
  for (const piece of sorted) {
    if (piece.start > position) {
      if (best === undefined || piece.start > best.end) break;
      chain.push(best);
      position = best.end;
      best = undefined;
    }
    if (piece.start <= position && piece.end > (best?.end ?? position)) best = piece;
  }
  if (best !== undefined) chain.push(best);
  return chain;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
