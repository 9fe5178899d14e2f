/** Pruning of small archives in folders, whose files are days old. */
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listBackups, readReferences, writeBackup } from '../archive/backups/backups.ts';
import { writeCheck } from '../archive/backups/check-result.ts';
import type { Manifest } from '../archive/backups/manifest.ts';
import { chunkName, idsIn } from '../archive/chunks/chunk-ids.ts';
import { createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { putRound } from '../archive/content/round.ts';
import {
  checkName,
  logPieceName,
  manifestName,
  referencesName,
  roundName,
  timeText,
} from '../archive/layout.ts';
import { acquireLease } from '../archive/lease/lease.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { testManifest, writeTestBackup } from '../archive/testing/backups.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { openFolderStore } from '../store/folder.ts';
import { listAll } from '../store/list-all.ts';
import { writeHead } from '../wal/head.ts';
import { type PruneOptions, type PruneResult, prune } from './prune.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = new Date('2026-11-27T12:00:00Z');
const LINEAGE = '7345678901234567890-1';
const ENDED = '7345678901234567890-9';

let place: TestFolder;
/** Oldest first. */
let backups: Manifest[];

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const position = (segment: number) => (segment * 0x1000000).toString(16).toUpperCase().padStart(16, '0');

const run = (options: Partial<PruneOptions> = {}, store: ArchiveStore = place.store): Promise<PruneResult> =>
  prune(store, {
    policy: { hourly: 0, daily: 2, weekly: 0, monthly: 0 },
    holder: 'test',
    now: NOW,
    ...options,
  });

const names = async (prefix = '', store = place.store) =>
  (await listAll(store, prefix)).map(({ name }) => name).filter((name) => !name.startsWith('leases/'));

/** Makes all files, or those with a name, this old. */
async function age(days: number, only?: string): Promise<void> {
  for (const name of await names()) if (only === undefined || name === only) await setAge(name, days);
}

async function setAge(name: string, days: number): Promise<void> {
  await utimes(join(place.folder, name), daysAgo(days), daysAgo(days));
}

const piece = (start: number, lineage = LINEAGE) =>
  logPieceName({ lineage, start: position(start), end: position(start + 1) });
const round = (days: number, lineage = LINEAGE) =>
  roundName({ lineage, time: timeText(daysAgo(days)), number: 1 });

/** Four backups of an archive with log and content; the policy keeps the newest two. All share one piece. */
beforeEach(async () => {
  place = await createTestFolder();
  const archive = await createTestArchive(place.store, { passphrase: 'test' });
  const shared = randomBytes(100);
  backups = [];
  for (const [index, days] of [4, 3, 2, 1].entries()) {
    const createdAt = daysAgo(days).toISOString();
    const startLsn = position(10 * (index + 1));
    const stopLsn = position(10 * (index + 1) + 2);
    backups.push(
      await writeTestBackup(archive, [shared, randomBytes(100)], { createdAt, startLsn, stopLsn }),
    );
  }
  for (const lineage of [LINEAGE, ENDED]) {
    await place.store.put(`wal/${lineage}/head.json`, Buffer.from('{}'));
    for (let start = 9; start < 45; start++) await place.store.put(piece(start, lineage), Buffer.from('log'));
    for (const days of [3.5, 2.5, 1.5, 0.5]) {
      const writer = createChunkWriter(archive, await listChunks(place.store));
      await writer.write(randomBytes(100));
      await writer.finish();
      await putRound(archive, round(days, lineage), [], writer.references());
    }
  }
  await age(2);
});
afterEach(() => place.close());

/** Whether all chunks of a backup exist. */
async function isWhole(store: ArchiveStore, manifest: Manifest): Promise<boolean> {
  const stored = new Set(await names('chunks/', store));
  return [...idsIn(await readReferences(store, manifest))].every((id) => stored.has(chunkName(id)));
}

describe('pruning', () => {
  it('removes old backups, and the chunks, log and content that only they need', async () => {
    const result = await run();
    const [first, second, third, fourth] = backups.map(({ id }) => id);
    expect(result).toMatchObject({ removedBackups: [first, second], keptBackups: [third, fourth] });
    const left = await names();
    expect(left.filter((name) => name.startsWith('backups/'))).toEqual(
      [third ?? '', fourth ?? ''].flatMap((id) => [manifestName(id), referencesName(id)]),
    );
    const pieces = Array.from({ length: 15 }, (_, index) => piece(30 + index));
    expect(left.filter((name) => name.startsWith('wal/'))).toEqual([...pieces, `wal/${LINEAGE}/head.json`]);
    expect(left.filter((name) => name.startsWith('content/'))).toEqual([round(1.5), round(0.5)]);
    // An index and a piece for each backup, the shared piece, and a chunk for each round.
    expect(left.filter((name) => name.startsWith('chunks/'))).toHaveLength(2 * 2 + 1 + 2);
    // The head of the ended lineage counts as a piece.
    expect(result).toMatchObject({ removedChunks: 2 * 2 + 6, removedPieces: 21 + 36 + 1, removedRounds: 6 });
    for (const { manifest } of (await listBackups(place.store)).backups)
      expect(await isWhole(place.store, manifest)).toBe(true);
  });

  it('removes nothing more when it is repeated', async () => {
    await run();
    const before = await names();
    const result = await run();
    expect(result).toMatchObject({ removedBackups: [], removedChunks: 0, removedPieces: 0, removedBytes: 0 });
    expect(await names()).toEqual(before);
  });

  it('removes nothing in a dry run, and reports the same', async () => {
    const before = await names();
    const planned = await run({ dryRun: true });
    expect(await names()).toEqual(before);
    // Of removed backups, their lists of references are counted only when they are left over.
    expect(await run()).toEqual(planned);
  });

  it('reports in a dry run what would be removed, while a backup is made and the log is shipped', async () => {
    const planned = await run({ dryRun: true });
    const leases = await Promise.all(
      (['maintenance', 'log'] as const).map((name) =>
        acquireLease(place.store, name, { holder: 'other', purpose: 'a backup' }),
      ),
    );
    expect(await run({ dryRun: true })).toEqual(planned);
    for (const lease of leases) await lease.release();
  });

  it('counts removed bytes', async () => {
    const sizeOf = async () =>
      (await listAll(place.store, ''))
        .filter(({ name }) => /^(chunks|wal|content)\//.test(name))
        .reduce((sum, { size }) => sum + size, 0);
    const before = await sizeOf();
    const { removedBytes } = await run();
    expect(removedBytes).toBe(before - (await sizeOf()));
  });

  it('keeps files younger than a day, because a running backup may need them', async () => {
    await age(0.9);
    const before = await names('chunks/');
    const result = await run();
    expect(result).toMatchObject({ removedChunks: 0, removedPieces: 0, removedRounds: 0 });
    expect(result.removedBackups).toHaveLength(2);
    expect(await names('chunks/')).toEqual(before);
    expect(await names('wal/')).toHaveLength(74);
  });

  it('keeps the newest backup that passed its check', async () => {
    const [first] = backups;
    const archive = await createTestArchive(place.store, { passphrase: 'test' });
    await writeCheck(archive, first?.id ?? '', {
      checkedAt: NOW.toISOString(),
      greenroomVersion: '0.1.0',
      method: 'restored',
      problems: [],
    });
    const { keptBackups } = await run();
    expect(keptBackups).toEqual([backups[0]?.id, backups[2]?.id, backups[3]?.id]);
    expect(await names('wal/')).toContain(piece(10));
    expect(await names('wal/')).not.toContain(piece(9));
  });

  it('keeps the log for the days that can be restored to any second, and that of each backup', async () => {
    const { keptBackups } = await run({
      policy: { hourly: 0, daily: 4, weekly: 0, monthly: 0 },
      logDays: 2.5,
    });
    expect(keptBackups).toHaveLength(4);
    // The second backup is the base of a restore to the time 2.5 days ago.
    const expected = [10, 11, ...Array.from({ length: 25 }, (_, index) => 20 + index)].map((start) =>
      piece(start),
    );
    expect(await names(`wal/${LINEAGE}/0`)).toEqual(expected);
    expect(await names(`content/${LINEAGE}/`)).toEqual([round(2.5), round(1.5), round(0.5)]);
  });

  it('keeps the base of each log that reaches the days of any second, also of another instance', async () => {
    const archive = await createTestArchive(place.store, { passphrase: 'test' });
    const other = { systemId: '1', timeline: 1 };
    const add = (days: number, segment: number) =>
      writeTestBackup(archive, undefined, {
        ...other,
        createdAt: daysAgo(days).toISOString(),
        startLsn: position(segment),
        stopLsn: position(segment + 1),
        wal: 'contained',
      });
    const [older, base, newer] = [await add(3.1, 1), await add(2.9, 3), await add(1.1, 5)];
    const head = { position: 9n, coveredTime: daysAgo(2), contentTime: undefined, beforeGaps: [] };
    await writeHead(archive, other, head);
    await age(2);
    const { removedBackups } = await run({ dryRun: true, logDays: 2 });
    expect(removedBackups).toEqual(expect.arrayContaining([older.id, base.id, newer.id]));
    await writeHead(archive, other, { ...head, coveredTime: daysAgo(1) });
    const { keptBackups } = await run({ logDays: 2 });
    expect(keptBackups).toContain(base.id);
    expect(keptBackups).not.toContain(older.id);
    expect(keptBackups).not.toContain(newer.id);
  });

  it('keeps the first backup after a gap of the log', async () => {
    const archive = await createTestArchive(place.store, { passphrase: 'test' });
    const other = { systemId: '1', timeline: 1 };
    const added: string[] = [];
    for (const [days, segment] of [
      [1.9, 1],
      [1.8, 3],
      [1.7, 5],
      [1.6, 7],
    ] as const) {
      const values = { ...other, createdAt: daysAgo(days).toISOString(), wal: 'contained' } as const;
      const [startLsn, stopLsn] = [position(segment), position(segment + 1)];
      added.push((await writeTestBackup(archive, undefined, { ...values, startLsn, stopLsn })).id);
    }
    const gap = { position: BigInt(`0x${position(4)}`), coveredTime: daysAgo(1.75) };
    const head = { position: BigInt(`0x${position(9)}`), coveredTime: daysAgo(1), contentTime: undefined };
    await writeHead(archive, other, { ...head, beforeGaps: [gap] });
    await age(2);
    const { keptBackups } = await run({ logDays: 2 });
    // The last one is the newest of its day.
    expect(keptBackups.filter((id) => added.includes(id))).toEqual([added[0], added[2], added[3]]);
  });

  it('removes parts of interrupted backups and temporary files', async () => {
    const id = '20261120T101500Z-abcdef';
    await place.store.put(referencesName(id), Buffer.alloc(0));
    await place.store.put(checkName(id), Buffer.from('{}'));
    await writeFile(join(place.folder, 'chunks/x.00.partial'), 'x');
    for (const name of [referencesName(id), checkName(id), 'chunks/x.00.partial']) await setAge(name, 2);
    await run();
    expect(await names('checks/')).toEqual([]);
    expect(await names('backups/')).not.toContain(referencesName(id));
    expect(await readdir(join(place.folder, 'chunks'))).not.toContain('x.00.partial');
  });

  it('leaves files of other programs alone', async () => {
    const foreign = ['README', 'chunks/note.txt', 'backups/note.txt', 'wal/note', 'content/note'];
    for (const name of foreign) await place.store.put(name, Buffer.from('x'));
    await age(9);
    await run();
    expect(await names()).toEqual(expect.arrayContaining(foreign));
  });

  it('keeps the chunks of a logical backup, which has no log', async () => {
    const archive = await createTestArchive(place.store, { passphrase: 'test' });
    const writer = createChunkWriter(archive, await listChunks(place.store));
    const id = await writer.write(randomBytes(100));
    await writer.finish();
    const createdAt = NOW.toISOString();
    const { systemId, timeline, startLsn, stopLsn, wal, ...common } = testManifest({ createdAt });
    await writeBackup(archive, { ...common, kind: 'logical' }, writer.references());
    await age(2);
    const { keptBackups } = await run({ policy: { hourly: 0, daily: 0, weekly: 0, monthly: 0 } });
    expect(keptBackups).toEqual([common.id]);
    expect(await names('chunks/')).toEqual([chunkName(id)]);
    expect([...(await names('wal/')), ...(await names('content/'))]).toEqual([]);
  });
});

describe('nothing is pruned', () => {
  it.each([
    [
      'a manifest cannot be read',
      'damaged',
      () => place.store.put(manifestName(backups[0]?.id ?? ''), Buffer.from('{')),
    ],
    [
      'a list of references is missing',
      'missing',
      () => place.store.remove([referencesName(backups[3]?.id ?? '')]),
    ],
    [
      'a list of references is damaged',
      'damaged',
      () => place.store.put(referencesName(backups[3]?.id ?? ''), randomBytes(64)),
    ],
    ['a round of content is damaged', 'damaged', () => place.store.put(round(0.5), randomBytes(64))],
  ])('if %s', async (_name, kind, change) => {
    await change();
    await age(2);
    const before = await names();
    const message = expect.stringMatching(
      /^nothing was pruned, because it is unknown which chunks .* remove /,
    );
    await expect(run()).rejects.toMatchObject({ kind, message });
    expect(await names()).toEqual(before);
  });

  it('while a backup is running', async () => {
    const lease = await acquireLease(place.store, 'maintenance', { holder: 'other', purpose: 'a backup' });
    const before = await names();
    await expect(run()).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('a backup of other'),
    });
    expect(await names()).toEqual(before);
    await lease.release();
    await run();
  });

  it('while another instance ships its log, but by this instance', async () => {
    const logLease = await acquireLease(place.store, 'log', { holder: 'other', purpose: 'the log' });
    await expect(run()).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('the log of other'),
    });
    await run({ logLease });
    await logLease.renew();
    await logLease.release();
    await run();
  });

  it('after a lease was lost', async () => {
    const lost = new AbortController();
    const logLease = { lost: lost.signal, renew: async () => {}, release: async () => {} };
    lost.abort(new Error('the lease is lost'));
    const before = await names();
    await expect(run({ logLease })).rejects.toThrow('the lease is lost');
    expect(await names()).toEqual(before);
  });

  it('of a file', async () => {
    await expect(run({}, { ...place.store, kind: 'file' })).rejects.toMatchObject({ kind: 'refused' });
  });
});

/** A store that removes single values, and fails before the one with this number. */
function killedStore(store: ArchiveStore, after: number): ArchiveStore {
  let left = after;
  return {
    ...store,
    async remove(removed) {
      for (const name of removed) {
        if (!name.startsWith('leases/') && left-- <= 0) throw new Error('killed');
        await store.remove([name]);
      }
    },
  };
}

it('a killed pruning leaves every listed backup whole, and the next one completes it', async () => {
  const copies = await mkdtemp(join(tmpdir(), 'greenroom-archive-'));
  // Fewer pieces of the log, because each removal is a round.
  await place.store.remove((await names('wal/')).filter((name) => !/0{2}[01]\d0{6}-/.test(name)));
  const complete = join(copies, 'complete');
  await cp(place.folder, complete, { recursive: true, preserveTimestamps: true });
  await run({}, openFolderStore(complete));
  const expected = await names('', openFolderStore(complete));
  let killed = 0;
  for (let isKilled = true; isKilled; killed++) {
    const folder = join(copies, String(killed));
    await cp(place.folder, folder, { recursive: true, preserveTimestamps: true });
    const store = openFolderStore(folder);
    isKilled = await run({}, killedStore(store, killed)).then(
      () => false,
      (error: Error) => error.message === 'killed',
    );
    const { backups: listed, unreadable } = await listBackups(store);
    expect(unreadable).toEqual([]);
    expect(listed.length).toBeGreaterThanOrEqual(2);
    for (const { manifest } of listed) expect(await isWhole(store, manifest), `after ${killed}`).toBe(true);
    for (const name of await names('backups/', store)) {
      const { mtime } = await stat(join(folder, name));
      expect(mtime.getTime()).toBeLessThan(NOW.getTime());
    }
    await run({}, store);
    expect(await names('', store)).toEqual(expected);
    await rm(folder, { recursive: true });
  }
  expect(killed).toBeGreaterThan(20);
  await rm(copies, { recursive: true });
});
