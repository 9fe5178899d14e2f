/** Checks that the log after each backup is there without gaps, and with an archive that its pieces are whole. */
import type { Archive } from '../archive/archive.ts';
import type { Manifest, PhysicalManifest } from '../archive/backups/manifest.ts';
import { lineageOf, logPieceName, parseLogPiece } from '../archive/layout.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { compareNames } from '../store/names.ts';
import { isDamage } from './check-chunks.ts';
import { inParallel } from './in-parallel.ts';
import { type AffectedTimes, type Damage, damageOf } from './report.ts';

/** Pieces have up to 16 MiB. */
const MAX_CONCURRENT = 3;

/** A part of the log: positions of its first byte and of the byte after its last one. */
interface LogRange {
  start: string;
  end: string;
}

/** Result of checking the log. */
interface LogReport {
  damages: Damage[];
  checked: number;
  bytes: number;
}

/** Returns the physical backups of each lineage, in the order of the log. */
export function byLineage(manifests: readonly Manifest[]): ReadonlyMap<string, readonly PhysicalManifest[]> {
  const physical = manifests.filter((manifest) => manifest.kind === 'physical');
  return new Map(
    [...Map.groupBy(physical, lineageOf)].map(([lineage, backups]) => [
      lineage,
      backups.toSorted((left, right) => compareNames(left.startLsn, right.startLsn)),
    ]),
  );
}

/** Checks the pieces of all lineages that have a backup. */
export async function checkLog(
  store: ArchiveStore,
  archive: Archive | undefined,
  lineages: ReadonlyMap<string, readonly PhysicalManifest[]>,
): Promise<LogReport> {
  const report: LogReport = { damages: [], checked: 0, bytes: 0 };
  for (const [lineage, backups] of lineages) {
    const pieces: LogRange[] = [];
    for await (const batch of store.list(`wal/${lineage}/`)) {
      for (const { name, size } of batch) {
        const piece = parseLogPiece(name);
        if (piece === undefined) continue;
        pieces.push(piece);
        report.checked++;
        report.bytes += size;
      }
    }
    const broken = archive === undefined ? [] : await readPieces(archive, lineage, pieces);
    for (const { piece, damage } of broken)
      report.damages.push({ ...damage, ...affectedBy(lineage, backups, piece) });
    for (const gap of gapsIn(pieces, backups)) report.damages.push(damageOfGap(store, lineage, backups, gap));
  }
  return report;
}

async function readPieces(
  archive: Archive,
  lineage: string,
  pieces: readonly LogRange[],
): Promise<{ piece: LogRange; damage: Damage }[]> {
  const broken: { piece: LogRange; damage: Damage }[] = [];
  await inParallel(pieces, MAX_CONCURRENT, async (piece) => {
    const name = logPieceName({ lineage, ...piece });
    try {
      await archive.getBlob(name);
    } catch (error) {
      if (!isDamage(error)) throw error;
      broken.push({ piece, damage: damageOf(name, error, {}) });
    }
  });
  return broken.toSorted((left, right) => compareNames(left.piece.start, right.piece.start));
}

/**
 * Returns the gaps between the first backup that the log follows and the end of the log. Pieces may overlap: the open one
 * is replaced by larger ones.
 */
export function gapsIn(pieces: readonly LogRange[], backups: readonly PhysicalManifest[]): LogRange[] {
  const archived = backups.filter(({ wal }) => wal === 'archived');
  const [first] = archived;
  if (first === undefined) return [];
  const needed = archived.reduce((end, { stopLsn }) => (stopLsn > end ? stopLsn : end), first.stopLsn);
  const gaps: LogRange[] = [];
  let covered = first.startLsn;
  for (const { start, end } of pieces.toSorted((left, right) => compareNames(left.start, right.start))) {
    if (start > covered) gaps.push({ start: covered, end: start });
    if (end > covered) covered = end;
  }
  if (covered < needed) gaps.push({ start: covered, end: needed });
  return gaps;
}

function damageOfGap(
  store: ArchiveStore,
  lineage: string,
  backups: readonly PhysicalManifest[],
  gap: LogRange,
): Damage {
  return {
    name: logPieceName({ lineage, ...gap }),
    kind: 'missing',
    message: `the log of ${lineage} from ${gap.start} to ${gap.end} is missing in ${store.location}`,
    ...affectedBy(lineage, backups, gap),
  };
}

/** Returns the backups that need a part of the log, and the times between the backups around it. */
function affectedBy(
  lineage: string,
  backups: readonly PhysicalManifest[],
  { start, end }: LogRange,
): { backups: string[]; times: AffectedTimes[] } {
  const needing = backups.filter(
    ({ wal, startLsn, stopLsn }) => wal === 'archived' && startLsn < end && stopLsn > start,
  );
  const before = backups.findLast(({ stopLsn }) => stopLsn <= start);
  const after = backups.find(({ startLsn }) => startLsn >= end);
  const times = before === undefined ? [] : [{ lineage, after: before.stopTime, until: after?.stopTime }];
  return { backups: needing.map(({ id }) => id), times };
}
