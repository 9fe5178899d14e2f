/** Backups as bases of restores: how far the archived log after each one reaches. Pure. */
import { SEGMENT_BYTES, segmentStart } from '@greenroom/postgres';
import type { ListedBackup } from '../archive/backups/backups.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { lineageOf } from '../archive/layout.ts';
import { chainOf, type LogRange } from '../wal/pieces.ts';
import type { StoredLog, StoredLogs } from '../wal/stored-logs.ts';

/** A backup, and the log that can be applied to it. */
export interface Base {
  manifest: PhysicalManifest;
  /** The time of the backup itself. */
  from: Date;
  /** The last time that can be restored; `from` if the archive has no log after the backup. */
  until: Date;
  /** The archived log that can be applied, from the start of a segment on. Empty if there is none. */
  log: LogRange;
  /** Whether the lineage has further log after a gap. */
  isCut: boolean;
}

/** Times that can be restored: every one from `from` to `to`. */
interface RestorableRange {
  from: Date;
  to: Date;
}

const NO_LOG: StoredLog = { pieces: [], points: [], contentUntil: undefined };

/** Returns the usable backups, oldest state first: those with files of a cluster that passed their last check. */
export function basesOf(backups: readonly ListedBackup[], logs: StoredLogs): Base[] {
  return backups
    .flatMap(({ manifest, check }) =>
      manifest.kind === 'physical' && (check === undefined || check.problems.length === 0)
        ? [baseOf(manifest, logs)]
        : [],
    )
    .filter(({ manifest, log }) => manifest.wal === 'contained' || log.end >= positionOf(manifest.stopLsn))
    .toSorted((left, right) => left.from.getTime() - right.from.getTime());
}

/** Returns a backup and the log after it. */
export function baseOf(manifest: PhysicalManifest, logs: StoredLogs): Base {
  const { pieces, points } = logs.get(lineageOf(manifest)) ?? NO_LOG;
  const start = firstSegment(manifest);
  const end = chainOf(pieces, start).at(-1)?.end ?? start;
  const from = new Date(manifest.stopTime);
  const until = points
    .filter(({ position }) => position <= end)
    .reduce((latest, { coveredTime }) => (coveredTime > latest ? coveredTime : latest), from);
  return { manifest, from, until, log: { start, end }, isCut: pieces.some((piece) => piece.end > end) };
}

/**
 * Returns the ranges of times that can be restored, oldest first. From the state of each backup on, a restore starts with
 * that backup.
 */
export function restorableRanges(bases: readonly Base[]): RestorableRange[] {
  const ranges: RestorableRange[] = [];
  for (const [index, { from, until }] of bases.entries()) {
    const next = bases[index + 1]?.from;
    const to = next !== undefined && next < until ? next : until;
    const last = ranges.at(-1);
    if (last?.to.getTime() === from.getTime()) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges.filter(({ from, to }) => from < to);
}

/** Returns the bytes of a log range that pieces have in the archive. */
export function storedBytesOf({ start, end }: LogRange, log: StoredLog = NO_LOG): number {
  return chainOf(log.pieces, start)
    .filter((piece) => piece.start < end)
    .reduce((sum, { storedBytes }) => sum + storedBytes, 0);
}

/** Returns a position of a manifest. */
export function positionOf(text: string): bigint {
  return BigInt(`0x${text}`);
}

/** A backup that contains its log ends with the whole segment of its stop. */
function firstSegment({ wal, startLsn, stopLsn }: PhysicalManifest): bigint {
  return wal === 'contained'
    ? segmentStart(positionOf(stopLsn) - 1n) + BigInt(SEGMENT_BYTES)
    : segmentStart(positionOf(startLsn));
}
