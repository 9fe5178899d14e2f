/** Checking archives that were damaged in every kind of value. */
import { randomBytes } from 'node:crypto';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { chunkName } from '../archive/chunks/chunk-ids.ts';
import { createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { putRound } from '../archive/content/round.ts';
import { generateIdentity } from '../archive/keys/recipient.ts';
import { logPieceName, manifestName, referencesName, roundName, timeText } from '../archive/layout.ts';
import { acquireLease } from '../archive/lease/lease.ts';
import { openArchive } from '../archive/open-archive.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { writeTestBackup } from '../archive/testing/backups.ts';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { listAll } from '../store/list-all.ts';
import { headName, type LogHead, writeHead } from '../wal/head.ts';
import { checkArchive } from './check-archive.ts';
import { gapsIn } from './check-log.ts';
import { removeDamagedChunks } from './remove-damaged.ts';

const LINEAGE = '7345678901234567890-1';
const FIRST_TIME = '2026-11-26T10:00:00.000Z';
const SECOND_TIME = '2026-11-27T10:00:00.000Z';
const ROUND = roundName({ lineage: LINEAGE, time: timeText(new Date('2026-11-26T20:00:00Z')), number: 1 });
const BETWEEN = { lineage: LINEAGE, after: FIRST_TIME, until: SECOND_TIME };
/** A backup whose own log is broken ends no gap. */
const FROM_FIRST = { ...BETWEEN, until: undefined };
const AFTER = { lineage: LINEAGE, after: SECOND_TIME, until: undefined };

let place: TestFolder;
let archive: Archive;
let first: string;
let second: string;
let shared: string;
let ofSecond: string;
let ofRound: string;

const position = (segment: number) => (segment * 0x1000000).toString(16).toUpperCase().padStart(16, '0');
const piece = (start: number) =>
  logPieceName({ lineage: LINEAGE, start: position(start), end: position(start + 1) });

/** Two backups with a common piece, log from 10 to 25, and a round of content between them. */
beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
  const [common, single] = [randomBytes(100), randomBytes(100)];
  shared = chunkName(archive.chunkIdOf(common));
  ofSecond = chunkName(archive.chunkIdOf(single));
  first = (await backup([common], FIRST_TIME, 10, 12)).id;
  second = (await backup([common, single], SECOND_TIME, 20, 22)).id;
  for (let start = 10; start < 25; start++) await archive.putBlob(piece(start), randomBytes(50));
  const writer = createChunkWriter(archive, await listChunks(place.store));
  ofRound = chunkName(await writer.write(randomBytes(100)));
  await writer.finish();
  await putRound(archive, ROUND, [{ version: 'a' }], writer.references());
  await head(25);
});
afterEach(() => place.close());

/** Writes the head of a log that ends at this segment. */
const head = (end: number, beforeGaps: LogHead['beforeGaps'] = []) =>
  writeHead(
    archive,
    { systemId: '7345678901234567890', timeline: 1 },
    {
      position: BigInt(`0x${position(end)}`),
      coveredTime: new Date(SECOND_TIME),
      contentTime: undefined,
      beforeGaps,
    },
  );

function backup(pieces: Buffer[], createdAt: string, start: number, stop: number) {
  return writeTestBackup(archive, pieces, { createdAt, startLsn: position(start), stopLsn: position(stop) });
}

async function flip(name: string): Promise<void> {
  const bytes = await readFile(join(place.folder, name));
  const at = bytes.length - 20;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(join(place.folder, name), bytes);
}

const cut = (name: string) => truncate(join(place.folder, name), 10);
const remove = (name: string) => place.store.remove([name]);

describe('a check', () => {
  it('of an undamaged archive returns the numbers of checked files', async () => {
    const values = await listAll(place.store, '');
    const checkedBytes = values
      .filter(({ name }) => !name.endsWith('.json') && /^(chunks|wal|content)\//.test(name))
      .reduce((sum, { size }) => sum + size, 0);
    const counts = {
      backups: [first, second],
      checkedPieces: 15,
      checkedRounds: 1,
      checkedBytes,
      damages: [],
      unsealed: [],
    };
    expect(await checkArchive(place.store, archive)).toEqual({
      ...counts,
      method: 'decrypted',
      checkedChunks: 5,
    });
    expect(await checkArchive(place.store)).toEqual({ ...counts, method: 'listed', checkedChunks: 5 });
  });

  it.each([
    ['a missing chunk', remove, () => shared, 'missing', () => [first, second], []],
    ['a chunk that was cut off', cut, () => shared, 'damaged', () => [first, second], []],
    ['a missing chunk of one backup', remove, () => ofSecond, 'missing', () => [second], []],
    ['a missing chunk of a round', remove, () => ofRound, 'missing', () => [], [BETWEEN]],
    ['a round that was cut off', cut, () => ROUND, 'damaged', () => [], [BETWEEN]],
    ['a missing piece of the log between backups', remove, () => piece(15), 'missing', () => [], [BETWEEN]],
    [
      'a missing piece of the log after the last backup',
      remove,
      () => piece(23),
      'missing',
      () => [],
      [AFTER],
    ],
    [
      'a missing piece of the log of a backup',
      remove,
      () => piece(21),
      'missing',
      () => [second],
      [FROM_FIRST],
    ],
    ['a missing piece of the log of the first backup', remove, () => piece(10), 'missing', () => [first], []],
    ['a missing list of references', remove, () => referencesName(second), 'missing', () => [second], []],
    ['a changed list of references', flip, () => referencesName(second), 'damaged', () => [second], []],
    ['a manifest that was cut off', cut, () => manifestName(first), 'damaged', () => [first], []],
    ['a head that was cut off', cut, () => headName(LINEAGE), 'damaged', () => [], []],
  ] as const)('without a key names %s', async (_name, change, nameOf, kind, backups, times) => {
    const name = nameOf();
    await change(name);
    const { damages } = await checkArchive(place.store);
    expect(damages).toMatchObject([{ name, kind, backups: backups(), times }]);
    expect(damages[0]?.message).toContain(place.folder);
    expect((await checkArchive(place.store, archive)).damages).toEqual(damages);
  });

  it.each([
    ['a chunk', () => shared, () => [first, second], []],
    ['a chunk of one backup', () => ofSecond, () => [second], []],
    ['a chunk of a round', () => ofRound, () => [], [BETWEEN]],
    ['a round', () => ROUND, () => [], [BETWEEN]],
    ['a piece of the log', () => piece(15), () => [], [BETWEEN]],
    ['a piece of the log of a backup', () => piece(20), () => [second], [FROM_FIRST]],
    ['a manifest', () => manifestName(first), () => [first], []],
  ] as const)('with a key names %s with a changed bit', async (_name, nameOf, backups, times) => {
    const name = nameOf();
    await flip(name);
    const { damages } = await checkArchive(place.store, archive);
    expect(damages).toMatchObject([{ name, kind: 'damaged', backups: backups(), times }]);
    expect(damages[0]?.message).toContain(name);
  });

  it('names several damages', async () => {
    await remove(shared);
    await flip(ofSecond);
    await remove(piece(15));
    const { damages } = await checkArchive(place.store, archive);
    expect(damages.map(({ name }) => name).toSorted()).toEqual([shared, ofSecond, piece(15)].toSorted());
  });

  it('of a backup with its own log needs no pieces', async () => {
    for (const { name } of await listAll(place.store, 'wal/')) await remove(name);
    await place.store.remove([manifestName(first), manifestName(second)]);
    await writeTestBackup(archive, undefined, { wal: 'contained' });
    expect((await checkArchive(place.store, archive)).damages).toEqual([]);
  });

  it('ends with the error of a place that is away', async () => {
    const away = new ArchiveError('unavailable', 'away');
    const store: ArchiveStore = { ...place.store, get: () => Promise.reject(away) };
    await expect(checkArchive(store)).rejects.toBe(away);
  });

  it('ends with a recipient, which cannot read', async () => {
    const other = await createTestFolder();
    const { recipient } = generateIdentity();
    await writeTestBackup(await createTestArchive(other.store, { recipient }), undefined, {
      wal: 'contained',
    });
    const reader = await openArchive(other.store, { secrets: { recipient } });
    await expect(checkArchive(other.store, reader)).rejects.toMatchObject({ kind: 'wrongKey' });
    expect((await checkArchive(other.store)).damages).toEqual([]);
    await other.close();
  });

  it('names the end of the log that the head has and the pieces do not', async () => {
    await head(27);
    const name = logPieceName({ lineage: LINEAGE, start: position(25), end: position(27) });
    expect((await checkArchive(place.store)).damages).toMatchObject([
      { name, kind: 'missing', times: [AFTER] },
    ]);
  });

  it('does not regard a gap that the head records as damage, unless a backup needs its log', async () => {
    const coveredTime = new Date(FIRST_TIME);
    const [before, until] = [15, 21].map((segment) => BigInt(`0x${position(segment)}`));
    await remove(piece(15));
    await head(25, [{ position: before ?? 0n, coveredTime }]);
    expect((await checkArchive(place.store)).damages).toEqual([]);
    await remove(piece(21));
    await head(
      25,
      [before, until].map((at) => ({ position: at ?? 0n, coveredTime })),
    );
    expect((await checkArchive(place.store)).damages).toMatchObject([{ name: piece(21), backups: [second] }]);
  });

  it('reads a piece that was replaced by a longer one since it was listed', async () => {
    const longer = logPieceName({ lineage: LINEAGE, start: position(24), end: position(26) });
    let isReplaced = false;
    const store: ArchiveStore = {
      ...place.store,
      async get(name) {
        if (name === piece(24) && !isReplaced) {
          isReplaced = true;
          await archive.putBlob(longer, randomBytes(60));
          await remove(piece(24));
        }
        return place.store.get(name);
      },
    };
    const reader = await openArchive(store, { secrets: { passphrase: 'test' } });
    expect((await checkArchive(store, reader)).damages).toEqual([]);
    expect(isReplaced).toBe(true);
  });

  it('notices bytes after the end of a chunk', async () => {
    await appendFile(join(place.folder, shared), 'x');
    expect((await checkArchive(place.store, archive)).damages).toMatchObject([
      { name: shared, kind: 'damaged' },
    ]);
  });
});

describe('removing damaged chunks', () => {
  it('lets the next backup repair the earlier ones', async () => {
    const plain = randomBytes(100);
    const broken = chunkName(archive.chunkIdOf(plain));
    await backup([plain], '2026-11-27T11:00:00.000Z', 22, 23);
    await flip(broken);
    const report = await checkArchive(place.store, archive);
    expect(report.damages).toMatchObject([{ name: broken, kind: 'damaged' }]);
    // The chunk exists, so a backup would not write it.
    await backup([plain], '2026-11-27T12:00:00.000Z', 23, 24);
    expect((await checkArchive(place.store, archive)).damages).toHaveLength(1);
    expect(await removeDamagedChunks(place.store, report, { holder: 'test' })).toBe(1);
    expect((await checkArchive(place.store)).damages).toMatchObject([{ name: broken, kind: 'missing' }]);
    await backup([plain], '2026-11-27T13:00:00.000Z', 24, 25);
    expect((await checkArchive(place.store, archive)).damages).toEqual([]);
  });

  it('removes nothing else, and nothing while a backup is running', async () => {
    await cut(manifestName(first));
    await flip(ROUND);
    await remove(ofSecond);
    const before = await listAll(place.store, '');
    const report = await checkArchive(place.store, archive);
    expect(report.damages).toHaveLength(3);
    expect(await removeDamagedChunks(place.store, report, { holder: 'test' })).toBe(0);
    expect(await listAll(place.store, '')).toEqual(before);
    await flip(shared);
    const damaged = await checkArchive(place.store, archive);
    const lease = await acquireLease(place.store, 'maintenance', { holder: 'other', purpose: 'a backup' });
    const removal = removeDamagedChunks(place.store, damaged, { holder: 'test' });
    await expect(removal).rejects.toMatchObject({ kind: 'busy' });
    await lease.release();
  });
});

describe('gaps in the log', () => {
  const manifest = (start: number, stop: number, wal: 'archived' | 'contained' = 'archived') =>
    ({ startLsn: position(start), stopLsn: position(stop), wal }) as PhysicalManifest;
  const ranges = (...pairs: [number, number][]) =>
    pairs.map(([start, end]) => ({ start: position(start), end: position(end) }));

  it.each([
    ['pieces in any order', ranges([3, 4], [1, 2], [2, 3]), [manifest(1, 2)], []],
    ['pieces that overlap', ranges([1, 3], [1, 2], [2, 4]), [manifest(1, 2)], []],
    ['a gap', ranges([1, 2], [3, 4]), [manifest(1, 2)], ranges([2, 3])],
    ['a gap before the first piece', ranges([3, 4]), [manifest(1, 2)], ranges([1, 3])],
    ['a log that ends before a backup does', ranges([1, 2]), [manifest(1, 4)], ranges([2, 4])],
    ['no pieces', [], [manifest(1, 4)], ranges([1, 4])],
    ['a gap before the first backup', ranges([1, 2], [3, 9]), [manifest(4, 5)], []],
    ['backups with their own log', ranges([1, 2], [3, 9]), [manifest(1, 5, 'contained')], []],
    ['backups without any later log', [], [manifest(1, 5, 'contained')], []],
    ['log that was shipped from a later time on', ranges([7, 8]), [manifest(1, 5, 'contained')], []],
    [
      'log after a backup with its own',
      ranges([1, 6], [7, 9]),
      [manifest(1, 5, 'contained')],
      ranges([6, 7]),
    ],
    [
      'log of a backup between those with their own',
      ranges([7, 8], [9, 12]),
      [manifest(1, 2, 'contained'), manifest(6, 7), manifest(10, 11, 'contained')],
      ranges([6, 7], [8, 9]),
    ],
  ])('are found in %s', (_name, pieces, backups, expected) => {
    expect(gapsIn(pieces, backups)).toEqual(expected);
  });
});
