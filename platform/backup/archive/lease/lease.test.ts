import { spawnSync } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { createTestFolder, type TestFolder } from '../testing/archives.ts';
import { acquireLease, type Lease, type LeaseOptions } from './lease.ts';
import { createFile, type LeaseRecord, readNewest } from './lease-file.ts';
import { machineId } from './machine.ts';

const MINUTE = 60_000;

let place: TestFolder;
let time: number;
let held: Lease[];

beforeEach(async () => {
  place = await createTestFolder();
  time = Date.now();
  held = [];
});
afterEach(async () => {
  for (const lease of held) await lease.release();
  await place.close();
});

async function acquire(
  options: Partial<LeaseOptions> = {},
  store: ArchiveStore = place.store,
): Promise<Lease> {
  const lease = await acquireLease(store, 'maintenance', {
    holder: 'ann',
    purpose: 'a backup',
    now: () => time,
    ...options,
  });
  held.push(lease);
  return lease;
}

/** Writes a lease of another process, by default on another machine. */
async function write(number: number, fields: Partial<LeaseRecord> = {}): Promise<void> {
  const until = new Date(time + 5 * MINUTE).toISOString();
  const other = {
    holder: 'bob',
    purpose: 'a backup',
    host: 'other',
    machine: 'other',
    pid: 1,
    token: 'x',
    until,
  };
  expect(await createFile(place.store, 'maintenance', number, { ...other, ...fields })).toBe(true);
}

/** Returns the id of a process that has ended. */
const endedPid = () => spawnSync(process.execPath, ['-e', '']).pid;

describe('a lease', () => {
  it('is held by one process, and free after its release', async () => {
    const first = await acquire();
    await expect(acquire({ holder: 'bob' })).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringMatching(/^folder .* is in use by a backup of ann: wait until it ends/),
    });
    await expect(acquire()).rejects.toMatchObject({ kind: 'busy' });
    await first.release();
    await acquire({ holder: 'bob' });
  });

  it('is acquired by exactly one of several processes', async () => {
    for (let round = 0; round < 5; round++) {
      const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((holder) => acquire({ holder })));
      const winners = results.filter(({ status }) => status === 'fulfilled');
      expect(winners).toHaveLength(1);
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ kind: 'busy' });
      await held.pop()?.release();
    }
  });

  it('is taken over a minute after it expired, and the earlier holder notices the loss', async () => {
    const first = await acquire();
    time += 5 * MINUTE;
    await expect(acquire({ holder: 'bob' })).rejects.toMatchObject({ kind: 'busy' });
    time += MINUTE;
    const second = await acquire({ holder: 'bob' });
    expect(first.lost.aborted).toBe(false);
    await expect(first.renew()).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('is lost'),
    });
    expect(first.lost.aborted).toBe(true);
    await first.release();
    await second.renew();
    expect((await readNewest(place.store, 'maintenance')).record).toMatchObject({ holder: 'bob' });
  });

  it('is lost to a process whose clock is ahead, although it was renewed', async () => {
    const first = await acquire();
    const second = await acquire({ holder: 'bob', now: () => time + 7 * MINUTE });
    await expect(first.renew()).rejects.toMatchObject({ kind: 'busy' });
    await second.renew();
  });

  it('lasts while it is renewed', async () => {
    const first = await acquire();
    for (let round = 0; round < 4; round++) {
      time += 4 * MINUTE;
      await first.renew();
      await expect(acquire({ holder: 'bob' })).rejects.toMatchObject({ kind: 'busy' });
    }
  });

  it('is renewed at intervals', async () => {
    await acquire({ renewalMs: 5 });
    const until = async () => (await readNewest(place.store, 'maintenance')).record?.until ?? '';
    const before = await until();
    time += MINUTE;
    await expect.poll(until).not.toBe(before);
  });

  it('leaves one file', async () => {
    for (let round = 0; round < 3; round++) {
      await acquire();
      await held.pop()?.release();
    }
    expect(await readdir(join(place.folder, 'leases/maintenance'))).toEqual(['0000000003.json']);
  });

  it('is not given to a process that read an old state', async () => {
    // The store returns an empty list at first, as it was before two others acquired the lease.
    await write(2);
    let lists = 0;
    const stale: ArchiveStore = {
      ...place.store,
      async *list(prefix) {
        if (lists++ > 0) yield* place.store.list(prefix);
      },
    };
    await expect(acquire({}, stale)).rejects.toMatchObject({ kind: 'busy' });
    expect(await readdir(join(place.folder, 'leases/maintenance'))).toEqual(['0000000002.json']);
  });

  it.each([
    ['a process that ended on this machine', () => ({ machine: machineId(), pid: endedPid() })],
    ['an ended process with the id of this one', () => ({ machine: machineId(), pid: process.pid })],
    ['this instance before the machine was started again', () => ({ host: hostname(), holder: 'ann' })],
  ])('of %s is free at once', async (_name, fields) => {
    await write(1, fields());
    await acquire();
  });

  it.each([
    ['a process that runs on this machine', () => ({ machine: machineId(), pid: process.ppid })],
    ['a process on another machine, whose id is unknown here', () => ({ pid: endedPid() })],
    ['a copy of this instance on another machine', () => ({ holder: 'ann' })],
    ['another instance on a machine with the same name', () => ({ host: hostname() })],
  ])('of %s is respected', async (_name, fields) => {
    await write(1, fields());
    await expect(acquire()).rejects.toMatchObject({ kind: 'busy' });
  });

  it('with a damaged file is respected until it would have expired', async () => {
    await write(1);
    await writeFile(join(place.folder, 'leases/maintenance/0000000001.json'), 'damaged');
    time = Date.now();
    await expect(acquire()).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('in use by another process'),
    });
    time += 7 * MINUTE;
    await acquire();
  });

  it('of a file is not needed', async () => {
    const file: ArchiveStore = { ...place.store, kind: 'file' };
    const [first, second] = [await acquire({}, file), await acquire({}, file)];
    await first.renew();
    await second.renew();
    expect(await readdir(place.folder)).toEqual([]);
  });
});
