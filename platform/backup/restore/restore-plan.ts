/** Chooses the backup, the target and the part of the log for a requested state. Pure. */
import type { ListedBackup, UnreadableBackup } from '../archive/backups/backups.ts';
import type { LogicalManifest, Manifest, PhysicalManifest } from '../archive/backups/manifest.ts';
import { lineageOf } from '../archive/layout.ts';
import { ArchiveError } from '../errors.ts';
import type { LogRange } from '../wal/pieces.ts';
import type { StoredLogs } from '../wal/stored-logs.ts';
import { type Base, baseOf, basesOf, positionOf, storedBytesOf } from './bases.ts';

/** The state that an operator requests. */
export type RequestedState =
  | { kind: 'latest' }
  | { kind: 'time'; time: Date }
  /** The state of a backup itself. */
  | { kind: 'backup'; id: string }
  | { kind: 'name'; name: string };

/** Where a restore ends. `own`: at the state of the backup itself. */
type RestoreTarget = { kind: 'own' | 'latest' } | { kind: 'time'; time: Date };

/** A restore that is possible. Logical backups are restored to their own state only, without a log. */
export interface RestorePlan<Base extends Manifest = Manifest> {
  /** The backup that the restore starts with. */
  manifest: Base;
  target: RestoreTarget;
  /** The archived log that is applied; may be empty. The restore to a time ends before its end. */
  log: LogRange;
  /** Most bytes of the log that are applied, and their bytes in the archive. */
  logBytes: number;
  storedLogBytes: number;
  /** All commits until then are restored. */
  until: Date;
  /** Objects that were written later, and until the restored state, may be missing; undefined: none are. */
  contentUntil: Date | undefined;
  /** Whether the archive has log that cannot be applied, because it follows a gap. */
  isCut: boolean;
  /** Timelines after that of the backup which the archive has logs of, without gaps. */
  takenTimelines: readonly number[];
}

/** Lists of an archive. */
export interface ArchiveContents {
  /** Describes the place in messages. */
  location: string;
  backups: readonly ListedBackup[];
  unreadable: readonly UnreadableBackup[];
  logs: StoredLogs;
}

/** Returns the plan for a state. Throws kind `refused` or `missing` with the states that can be restored instead. */
export function planRestore(request: RequestedState, contents: ArchiveContents, now: Date): RestorePlan {
  switch (request.kind) {
    case 'latest':
      return planLatest(contents);
    case 'time':
      return planTime(request.time, contents, now);
    default:
      return planOwnState(requestedBackup(request, contents), contents.logs);
  }
}

/** Returns the plan for the state of a backup itself. */
export function planOwnState(manifest: Manifest, logs: StoredLogs = new Map()): RestorePlan {
  if (manifest.kind === 'logical') return planOfLogical(manifest);
  const base = baseOf(manifest, logs);
  const { start } = base.log;
  const stop = positionOf(manifest.stopLsn);
  const log = { start, end: manifest.wal === 'contained' || stop < start ? start : stop };
  const until = new Date(manifest.stopTime);
  return planOf({ ...base, log, until, isCut: false }, { kind: 'own' }, logs);
}

function planOfLogical(manifest: LogicalManifest): RestorePlan {
  return {
    manifest,
    target: { kind: 'own' },
    log: { start: 0n, end: 0n },
    logBytes: 0,
    storedLogBytes: 0,
    until: new Date(manifest.stopTime),
    contentUntil: undefined,
    isCut: false,
    takenTimelines: [],
  };
}

function planLatest(contents: ArchiveContents): RestorePlan {
  const newest = contents.backups.at(-1)?.manifest;
  if (newest?.kind === 'logical') return planOfLogical(newest);
  const base = requireBases(contents).at(-1) as Base;
  // Without log, the newest state is that of the backup itself.
  const kind = base.log.start === base.log.end ? 'own' : 'latest';
  return planOf(base, { kind }, contents.logs);
}

function planTime(time: Date, contents: ArchiveContents, now: Date): RestorePlan {
  if (time > now) throw refused(`${textOf(time)} is in the future`);
  const bases = requireBases(contents);
  const index = bases.findLastIndex(({ from }) => from <= time);
  const base = bases[index];
  const next = bases[index + 1];
  if (base === undefined)
    throw refused(
      `${contents.location} has no state before ${firstSecond(next)}: restore to that time or a later one`,
    );
  if (base.until < time) throw refused(notCovered(base, next));
  const end = next && isSameLineage(base, next) ? positionOf(next.manifest.stopLsn) : base.log.end;
  return planOf(base, { kind: 'time', time }, contents.logs, end);
}

/** Returns why a time after the covered ones cannot be restored, and the nearest ones that can. */
function notCovered(base: Base, next: Base | undefined): string {
  const last = lastSecond(base);
  const orLater = next === undefined ? '' : `, or to ${firstSecond(next)} or later`;
  const advice = `restore to ${last} or earlier${orLater}`;
  const { manifest, log, isCut } = base;
  if (isCut) return `the log after ${nameOf(manifest)} has a gap after ${last}: ${advice}`;
  if (next !== undefined && !isSameLineage(base, next))
    return `the log after ${nameOf(manifest)} ends at ${last}, and ${nameOf(next.manifest)} belongs to a restored database: ${advice}`;
  if (log.start === log.end && base.until.getTime() === base.from.getTime())
    return `the archive has no log after ${nameOf(manifest)} of ${last}: ${advice}`;
  return `the archive has the log until ${last}: ${advice}`;
}

/** @param needed position up to which the log is applied at most */
function planOf(base: Base, target: RestoreTarget, logs: StoredLogs, needed = base.log.end): RestorePlan {
  const { manifest, until, isCut } = base;
  const { start, end } = base.log;
  const applied = { start, end: needed < end ? needed : end };
  const state = target.kind === 'time' ? target.time : until;
  const stored = logs.get(lineageOf(manifest))?.contentUntil;
  const isIncomplete = target.kind !== 'own' && stored !== undefined && stored < state;
  return {
    manifest,
    target,
    log: base.log,
    logBytes: applied.end > start ? Number(applied.end - start) : 0,
    storedLogBytes: storedBytesOf(applied, logs.get(lineageOf(manifest))),
    until: state,
    contentUntil: isIncomplete ? stored : undefined,
    isCut: isCut && target.kind !== 'time',
    takenTimelines: takenTimelines(manifest, logs),
  };
}

/** A restored cluster must not continue on a timeline of another one, whose log has the same name then. */
function takenTimelines({ systemId, timeline }: PhysicalManifest, logs: StoredLogs): number[] {
  const newest = [...logs.keys()]
    .filter((lineage) => lineage.startsWith(`${systemId}-`))
    .reduce((highest, lineage) => Math.max(highest, Number(lineage.split('-')[1])), timeline);
  return Array.from({ length: newest - timeline }, (_, index) => timeline + 1 + index);
}

/** Returns the bases; throws if there is none. */
function requireBases({ backups, logs, location }: ArchiveContents): Base[] {
  const bases = basesOf(backups, logs);
  if (bases.length > 0) return bases;
  const [newest] = backups.slice(-1);
  if (newest === undefined) throw missing(`${location} contains no complete backup`);
  if (newest.manifest.kind === 'logical')
    throw refused(
      'the backups are those of an external database, whose operator restores it to a time (docs/operate/backup.md). Restore a backup: --backup',
    );
  throw refused(
    `${location} contains no usable backup: ${newest.check?.problems.join('; ') || `the log of ${newest.id} is incomplete`}`,
  );
}

function requestedBackup(
  request: Extract<RequestedState, { kind: 'backup' | 'name' }>,
  { location, backups, unreadable }: ArchiveContents,
): Manifest {
  const found = backups.find(({ id, manifest }) =>
    request.kind === 'name' ? manifest.name === request.name : id === request.id,
  );
  if (found !== undefined) return found.manifest;
  if (backups.length === 0) throw missing(`${location} contains no complete backup`);
  if (request.kind === 'backup') {
    const broken = unreadable.find(({ id }) => id === request.id);
    if (broken !== undefined) throw broken.error;
    throw missing(
      `${location} has no backup ${request.id}. It has: ${backups.map(({ id }) => id).join(', ')}`,
    );
  }
  const names = backups.flatMap(({ manifest }) => manifest.name ?? []);
  const others = names.length === 0 ? 'No backup has a name' : `It has: ${names.join(', ')}`;
  throw missing(`${location} has no backup with the name ${request.name}. ${others}`);
}

function isSameLineage(one: Base, other: Base): boolean {
  return lineageOf(one.manifest) === lineageOf(other.manifest);
}

function nameOf({ id }: Manifest): string {
  return `backup ${id}`;
}

/** Returns the last whole second that can be restored, or the last time if there is none. */
function lastSecond({ from, until }: Base): string {
  const second = new Date(Math.floor(until.getTime() / 1000) * 1000);
  return textOf(second < from ? until : second);
}

function firstSecond(base: Base | undefined): string {
  return base === undefined ? '' : textOf(new Date(Math.ceil(base.from.getTime() / 1000) * 1000));
}

/** Returns a time as `--to-time` accepts it, without milliseconds of zero. */
function textOf(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

function refused(message: string): ArchiveError {
  return new ArchiveError('refused', message);
}

function missing(message: string): ArchiveError {
  return new ArchiveError('missing', message);
}
