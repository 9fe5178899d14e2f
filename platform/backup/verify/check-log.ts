/** Checks that the log after each backup is there without gaps, and with an archive that its pieces are whole. */
import type { Archive } from '../archive/archive.ts';
import type { Manifest, PhysicalManifest } from '../archive/backups/manifest.ts';
import { lineageOf, logPieceName, parseLogPiece } from '../archive/layout.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { compareNames } from '../store/names.ts';
import { headName, type LogHead, readHead } from '../wal/head.ts';
import { openHead } from '../wal/opened-head.ts';
import { coveredUntil, positionText } from '../wal/pieces.ts';
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
  /** Names of heads without a seal. */
  unsealed: string[];
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

/** Checks the pieces and the heads of all lineages that have a backup. */
export async function checkLog(
  store: ArchiveStore,
  archive: Archive | undefined,
  lineages: ReadonlyMap<string, readonly PhysicalManifest[]>,
): Promise<LogReport> {
  const report: LogReport = { damages: [], unsealed: [], checked: 0, bytes: 0 };
  for (const [lineage, backups] of lineages) {
    // Before the list of pieces: the log may grow meanwhile.
    const { head, damages, isSealed } = await checkHead(store, archive, lineage);
    report.damages.push(...damages);
    if (isSealed === false) report.unsealed.push(headName(lineage));
    const { pieces, bytes } = await listRanges(store, lineage);
    report.checked += pieces.length;
    report.bytes += bytes;
    const broken = archive === undefined ? [] : await readPieces(archive, lineage, pieces);
    for (const { piece, damage } of broken)
      report.damages.push({ ...damage, ...affectedBy(lineage, backups, piece) });
    const gaps = gapsIn(pieces, backups, head && positionText(head.position));
    const recorded = recordedStarts(pieces, head?.beforeGaps ?? []);
    for (const gap of gaps.filter((each) => !recorded.has(each.start) || isNeeded(each, backups)))
      report.damages.push(damageOfGap(store, lineage, backups, gap));
  }
  return report;
}

/** Returns the head; undefined if there is none, or it is damaged. */
async function checkHead(
  store: ArchiveStore,
  archive: Archive | undefined,
  lineage: string,
): Promise<{ head: LogHead | undefined; damages: Damage[]; isSealed?: boolean | undefined }> {
  const [systemId = '', timeline] = lineage.split('-');
  const named = { systemId, timeline: Number(timeline) };
  try {
    if (archive === undefined) return { head: await readHead(store, named), damages: [] };
    const opened = await openHead(archive, named);
    return { head: opened?.head, damages: [], isSealed: opened?.isSealed };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { head: undefined, damages: [damageOf(headName(lineage), error, {})] };
  }
}

async function listRanges(
  store: ArchiveStore,
  lineage: string,
): Promise<{ pieces: LogRange[]; bytes: number }> {
  const pieces: LogRange[] = [];
  let bytes = 0;
  for await (const batch of store.list(`wal/${lineage}/`)) {
    for (const { name, size } of batch) {
      const piece = parseLogPiece(name);
      if (piece === undefined) continue;
      pieces.push(piece);
      bytes += size;
    }
  }
  return { pieces, bytes };
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
      if (error.kind === 'missing' && (await wasReplaced(archive, lineage, piece))) return;
      broken.push({ piece, damage: damageOf(name, error, {}) });
    }
  });
  return broken.toSorted((left, right) => compareNames(left.piece.start, right.piece.start));
}

/** Whether a running instance has replaced a piece by a longer one since it was listed. */
async function wasReplaced(archive: Archive, lineage: string, { start, end }: LogRange): Promise<boolean> {
  const { pieces } = await listRanges(archive.store, lineage);
  const longer = pieces.find((piece) => piece.start === start && piece.end > end);
  if (longer === undefined) return false;
  await archive.getBlob(logPieceName({ lineage, ...longer }));
  return true;
}

/**
 * Returns the gaps between the first backup that the log follows and the end of the log. Pieces may overlap: the open one
 * is replaced by larger ones.
 * @param head the end of the log; undefined if it is not known
 */
export function gapsIn(
  pieces: readonly LogRange[],
  backups: readonly PhysicalManifest[],
  head?: string,
): LogRange[] {
  const sorted = pieces.toSorted((left, right) => compareNames(left.start, right.start));
  const starts = backups.map((backup) => neededFrom(backup, sorted[0]));
  const ends = backups.flatMap(({ wal, stopLsn }) => (wal === 'archived' ? [stopLsn] : []));
  const [first] = starts.toSorted(compareNames);
  const needed = [...ends, ...(head === undefined ? [] : [head])].toSorted(compareNames).at(-1);
  if (first === undefined) return [];
  const gaps: LogRange[] = [];
  let covered = first;
  for (const { start, end } of sorted) {
    if (start > covered) gaps.push({ start: covered, end: start });
    if (end > covered) covered = end;
  }
  if (needed !== undefined && covered < needed) gaps.push({ start: covered, end: needed });
  return gaps;
}

/** Returns where recorded gaps start: the server had removed the log before it was stored. */
function recordedStarts(pieces: readonly LogRange[], beforeGaps: LogHead['beforeGaps']): ReadonlySet<string> {
  const ranges = pieces.map(({ start, end }) => ({ start: BigInt(`0x${start}`), end: BigInt(`0x${end}`) }));
  // Log that was stored after the head counts.
  return new Set(beforeGaps.map(({ position }) => positionText(coveredUntil(ranges, position))));
}

/** Whether a backup needs the log of a gap, or its log begins within the gap: then more is missing than was recorded. */
function isNeeded({ start, end }: LogRange, backups: readonly PhysicalManifest[]): boolean {
  return backups.some(({ wal, startLsn, stopLsn }) =>
    wal === 'archived' ? startLsn < end && stopLsn > start : stopLsn > start && stopLsn < end,
  );
}

/** A backup with its own log needs later log only for later times, from the first piece on: before, none was shipped. */
function neededFrom({ wal, startLsn, stopLsn }: PhysicalManifest, firstPiece: LogRange | undefined): string {
  if (wal === 'archived') return startLsn;
  return firstPiece !== undefined && firstPiece.start > stopLsn ? firstPiece.start : stopLsn;
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
