/** Decides which pieces of the log and which rounds of content the kept backups need. */
import type { Manifest, PhysicalManifest } from '../archive/backups/manifest.ts';
import { lineageOf, lineageOfFile, parseLogPiece, parseRound, timeText } from '../archive/layout.ts';

/** Positions and times from which a lineage is kept. */
export interface LineageLimits {
  /** Pieces of the log that end at or before this position are not needed, unless they are within a range. */
  from: string;
  /** Rounds of content before this time are not needed. */
  time: string;
  /** Log that kept backups need for a restore of their own state: start and end. */
  ranges: readonly (readonly [start: string, end: string])[];
}

/**
 * Returns the limits of each lineage that has a kept backup.
 * @param logSince backups before this time can be restored to their own state only; undefined: to any time after them
 */
export function limitsOf(
  kept: readonly Manifest[],
  logSince: Date | undefined,
): ReadonlyMap<string, LineageLimits> {
  const lineages = Map.groupBy(kept.filter(isPhysical), lineageOf);
  return new Map([...lineages].map(([lineage, backups]) => [lineage, limitsOfLineage(backups, logSince)]));
}

/** Whether a backup is one of the files of a cluster. */
export function isPhysical(manifest: Manifest): manifest is PhysicalManifest {
  return manifest.kind === 'physical';
}

function limitsOfLineage(backups: readonly PhysicalManifest[], logSince: Date | undefined): LineageLimits {
  const base = baseOf(backups, logSince);
  const archived = backups.filter(({ wal }) => wal === 'archived');
  return {
    from: base?.startLsn ?? '',
    time: base === undefined ? '' : timeText(new Date(base.createdAt)),
    ranges: archived.map(({ startLsn, stopLsn }) => [startLsn, stopLsn] as const),
  };
}

/** Returns the base of a restore to a time: the newest backup before it, or the oldest one if all are later. */
export function baseOf(
  backups: readonly PhysicalManifest[],
  time: Date | undefined,
): PhysicalManifest | undefined {
  const oldestFirst = backups.toSorted((left, right) => (left.startLsn < right.startLsn ? -1 : 1));
  const isBefore = ({ stopTime }: PhysicalManifest) => time !== undefined && new Date(stopTime) <= time;
  return oldestFirst.findLast(isBefore) ?? oldestFirst[0];
}

/** Whether a piece of the log, or another file of its lineage, is needed. Names of other forms are. */
export function isPieceNeeded(name: string, limits: ReadonlyMap<string, LineageLimits>): boolean {
  const lineage = lineageOfFile(name);
  if (lineage === undefined) return true;
  const limit = limits.get(lineage);
  if (limit === undefined) return false;
  const piece = parseLogPiece(name);
  if (piece === undefined) return true;
  return (
    piece.end > limit.from || limit.ranges.some(([start, end]) => piece.start < end && piece.end > start)
  );
}

/** Whether a round of content is needed; names that are no rounds are. */
export function isRoundNeeded(name: string, limits: ReadonlyMap<string, LineageLimits>): boolean {
  const round = parseRound(name);
  if (round === undefined) return true;
  const limit = limits.get(round.lineage);
  return limit !== undefined && round.time >= limit.time;
}
