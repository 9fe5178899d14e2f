import { SEGMENT_BYTES } from '@greenroom/postgres';
import { describe, expect, it } from 'vitest';
import type { ListedBackup } from '../archive/backups/backups.ts';
import type { Manifest, PhysicalManifest } from '../archive/backups/manifest.ts';
import { testManifest } from '../archive/testing/backups.ts';
import { ArchiveError } from '../errors.ts';
import { positionText } from '../wal/pieces.ts';
import type { StoredLog } from '../wal/stored-logs.ts';
import { basesOf, restorableRanges } from './bases.ts';
import { type ArchiveContents, planOwnState, planRestore } from './restore-plan.ts';

const SYSTEM = '7345678901234567890';
const NOW = at('13:00:00');
const REFERENCES = { count: 0, sha256: '0'.repeat(64) };

function at(time: string): Date {
  return new Date(`2026-11-27T${time}Z`);
}

/** Start of a segment. */
const segment = (number: number) => BigInt(number * SEGMENT_BYTES);

/** A backup that begins and ends in one segment, and contains it. */
function backup(
  id: string,
  time: string,
  number: number,
  fields: Partial<PhysicalManifest> = {},
): ListedBackup {
  const manifest: Manifest = {
    ...testManifest({
      createdAt: at(time).toISOString(),
      wal: 'contained',
      startLsn: positionText(segment(number) + 40n),
      stopLsn: positionText(segment(number) + 80n),
      ...fields,
    }),
    references: REFERENCES,
    id,
  };
  return { id, manifest, check: undefined };
}

const logical: ListedBackup = {
  id: 'logical',
  check: undefined,
  manifest: {
    ...testManifest(),
    kind: 'logical',
    id: 'logical',
    stopTime: at('12:30:00').toISOString(),
    references: REFERENCES,
  },
};

/** Pieces of one segment each, and points. */
function log(numbers: readonly number[], points: readonly (readonly [number, string])[]): StoredLog {
  return {
    pieces: numbers.map((number) => ({
      start: segment(number),
      end: segment(number + 1),
      storedBytes: 1000,
    })),
    points: points.map(([number, time]) => ({ position: segment(number), coveredTime: at(time) })),
    contentUntil: undefined,
  };
}

function contents(backups: readonly ListedBackup[], logs: Record<string, StoredLog> = {}): ArchiveContents {
  const byLineage = Object.entries(logs).map(([timeline, each]) => [`${SYSTEM}-${timeline}`, each] as const);
  return { location: 'folder /backups', backups, unreadable: [], logs: new Map(byLineage) };
}

/** Backup a; its log covers 11:30 and has a gap; backup b; its log covers 12:00. */
const withGap = contents([backup('a', '11:00:00', 1), backup('b', '11:40:00.500', 6)], {
  1: log(
    [1, 2, 3, 6, 7],
    [
      [4, '11:30:00.700'],
      [8, '12:00:00'],
    ],
  ),
});
/** Log of timeline 1 until 11:30, then a database that was restored at 11:45. */
const twoLineages = contents([backup('a', '11:00:00', 1), backup('b', '11:45:00', 2, { timeline: 2 })], {
  1: log([2, 3], [[4, '11:30:00']]),
  2: log([3], [[4, '12:00:00']]),
  3: log([], []),
});
const withoutLog = contents([backup('a', '11:00:00', 1)]);

function planAt(time: string, archive: ArchiveContents) {
  return planRestore({ kind: 'time', time: at(time) }, archive, NOW);
}

describe('a restore to a time', () => {
  it.each([
    ['the time of a backup', '11:00:00', withGap, 'a'],
    ['a time in the log after it', '11:15:00', withGap, 'a'],
    ['the last time before a gap', '11:30:00.700', withGap, 'a'],
    ['a time after a later backup', '11:50:00', withGap, 'b'],
    ['the last time that the log covers', '12:00:00', withGap, 'b'],
    ['a time before an earlier restore', '11:30:00', twoLineages, 'a'],
    ['a time after an earlier restore', '11:46:00', twoLineages, 'b'],
    ['the time of a backup without log', '11:00:00', withoutLog, 'a'],
  ])('of %s starts with the newest backup before it', (_, time, archive, id) => {
    expect(planAt(time, archive)).toMatchObject({
      manifest: { id },
      target: { kind: 'time', time: at(time) },
      until: at(time),
    });
  });

  it.each([
    [
      'before the oldest state',
      '10:59:59',
      withGap,
      'has no state before 2026-11-27T11:00:00Z: restore to that time',
    ],
    ['in the future', '13:00:01', withGap, '2026-11-27T13:00:01Z is in the future'],
    [
      'in a gap',
      '11:35:00',
      withGap,
      'the log after backup a has a gap after 2026-11-27T11:30:00Z: restore to 2026-11-27T11:30:00Z or earlier, or to 2026-11-27T11:40:01Z or later',
    ],
    [
      'after the end of the log',
      '12:00:01',
      withGap,
      'the archive has the log until 2026-11-27T12:00:00Z: restore to 2026-11-27T12:00:00Z or earlier',
    ],
    [
      'between two lineages',
      '11:40:00',
      twoLineages,
      'the log after backup a ends at 2026-11-27T11:30:00Z, and backup b belongs to a restored database: restore to 2026-11-27T11:30:00Z or earlier, or to 2026-11-27T11:45:00Z or later',
    ],
    [
      'after a backup without log',
      '11:00:01',
      withoutLog,
      'the archive has no log after backup a of 2026-11-27T11:00:00Z: restore to 2026-11-27T11:00:00Z or earlier',
    ],
    ['in an empty archive', '11:00:00', contents([]), 'folder /backups contains no complete backup'],
    [
      'in an archive of logical backups',
      '11:00:00',
      contents([logical]),
      'whose operator restores it to a time',
    ],
  ])('%s is refused with the times that can be restored', (_, time, archive, message) => {
    expect(() => planAt(time, archive)).toThrow(ArchiveError);
    expect(() => planAt(time, archive)).toThrow(message);
  });

  it('applies the log after the segments of the backup, up to the next backup at most', () => {
    const archive = contents([backup('a', '11:00:00', 1), backup('b', '11:40:00', 3)], {
      1: log([1, 2, 3, 4], [[5, '12:00:00']]),
    });
    expect(planAt('11:20:00', archive)).toMatchObject({
      log: { start: segment(2), end: segment(5) },
      logBytes: SEGMENT_BYTES + 80,
      storedLogBytes: 2000,
    });
  });

  it('needs the log from the start of a backup that does not contain it', () => {
    const archived = backup('a', '11:00:00', 1, { wal: 'archived' });
    const archive = contents([archived], { 1: log([1, 2], [[3, '12:00:00']]) });
    expect(planAt('11:20:00', archive).log).toEqual({ start: segment(1), end: segment(3) });
    const incomplete = contents([archived], { 1: log([2], [[3, '12:00:00']]) });
    expect(() => planAt('11:20:00', incomplete)).toThrow('the log of a is incomplete');
  });

  it('skips backups that did not pass their check', () => {
    const check = { checkedAt: '', greenroomVersion: '', method: 'restored' as const, problems: ['broken'] };
    const bad = { ...backup('b', '11:10:00', 2), check };
    const archive = contents([backup('a', '11:00:00', 1), bad], { 1: log([2, 3], [[4, '11:30:00']]) });
    expect(planAt('11:20:00', archive).manifest.id).toBe('a');
    expect(() => planAt('11:20:00', contents([bad]))).toThrow('contains no usable backup: broken');
  });
});

describe('a restore to the latest state', () => {
  it('applies the log of the newest backup to its end', () => {
    expect(planRestore({ kind: 'latest' }, withGap, NOW)).toMatchObject({
      manifest: { id: 'b' },
      target: { kind: 'latest' },
      log: { start: segment(7), end: segment(8) },
      until: at('12:00:00'),
      isCut: false,
    });
  });

  it('ends at a gap, and reports it', () => {
    const archive = contents([backup('a', '11:00:00', 1)], {
      1: log(
        [2, 5],
        [
          [3, '11:10:00'],
          [6, '12:00:00'],
        ],
      ),
    });
    expect(planRestore({ kind: 'latest' }, archive, NOW)).toMatchObject({
      log: { start: segment(2), end: segment(3) },
      until: at('11:10:00'),
      isCut: true,
    });
  });

  it('without log is that of the newest backup itself', () => {
    expect(planRestore({ kind: 'latest' }, withoutLog, NOW)).toMatchObject({
      target: { kind: 'own' },
      logBytes: 0,
      until: at('11:00:00'),
    });
  });

  it('is that of the newest backup itself if it is a logical one', () => {
    const archive = contents([backup('a', '11:00:00', 1), logical]);
    const plan = planRestore({ kind: 'latest' }, archive, NOW);
    expect(plan).toMatchObject({ manifest: { id: 'logical' }, target: { kind: 'own' }, logBytes: 0 });
  });
});

describe('a restore of a backup itself', () => {
  const named = contents([
    backup('a', '11:00:00', 1, { name: 'before-migration' }),
    backup('b', '11:10:00', 2),
  ]);

  it.each([
    ['its id', { kind: 'backup', id: 'a' }],
    ['its name', { kind: 'name', name: 'before-migration' }],
  ] as const)('is chosen by %s, and applies no archived log', (_, request) => {
    const plan = planRestore(request, { ...named, logs: withGap.logs }, NOW);
    expect(plan).toMatchObject({ manifest: { id: 'a' }, target: { kind: 'own' }, logBytes: 0 });
    expect(plan.log.start).toBe(plan.log.end);
  });

  it('applies the archived log to its stop if it does not contain it', () => {
    const { manifest } = backup('a', '11:00:00', 1, { wal: 'archived' });
    expect(planOwnState(manifest).log).toEqual({ start: segment(1), end: segment(1) + 80n });
  });

  it.each([
    ['an unknown id', { kind: 'backup', id: 'c' }, 'has no backup c. It has: a, b'],
    [
      'an unknown name',
      { kind: 'name', name: 'c' },
      'has no backup with the name c. It has: before-migration',
    ],
  ] as const)('with %s is refused with those that exist', (_, request, message) => {
    expect(() => planRestore(request, named, NOW)).toThrow(message);
  });

  it('of a logical backup needs no log', () => {
    const { manifest, target, log } = planOwnState(logical.manifest);
    expect([manifest, target.kind]).toEqual([logical.manifest, 'own']);
    expect(log.start).toBe(log.end);
  });

  it('is refused with the error of a backup that cannot be read', () => {
    const error = new ArchiveError('damaged', 'backups/c.json is damaged');
    const archive = { ...named, unreadable: [{ id: 'c', error }] };
    expect(() => planRestore({ kind: 'backup', id: 'c' }, archive, NOW)).toThrow(error);
  });
});

it('timelines of all logs of the same cluster are taken', () => {
  expect(planAt('11:30:00', twoLineages).takenTimelines).toEqual([2, 3]);
  expect(planAt('11:46:00', twoLineages).takenTimelines).toEqual([3]);
  expect(planAt('11:15:00', withGap).takenTimelines).toEqual([]);
});

describe('the times that can be restored', () => {
  it.each([
    [
      'end at gaps',
      withGap,
      [
        ['11:00:00', '11:30:00.700'],
        ['11:40:00.500', '12:00:00'],
      ],
    ],
    [
      'end where an earlier restore began',
      twoLineages,
      [
        ['11:00:00', '11:30:00'],
        ['11:45:00', '12:00:00'],
      ],
    ],
    ['are none without log', withoutLog, []],
    [
      'continue at backups that the log passes',
      contents([backup('a', '11:00:00', 1), backup('b', '11:40:00', 3)], {
        1: log([2, 3, 4], [[5, '12:00:00']]),
      }),
      [['11:00:00', '12:00:00']],
    ],
  ])('%s', (_, { backups, logs }, expected) => {
    expect(restorableRanges(basesOf(backups, logs))).toEqual(
      expected.map(([from = '', to = '']) => ({ from: at(from), to: at(to) })),
    );
  });
});
