/** Tests the sweep of a whole instance: moved and kept content, logs and metrics. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { createLogger, type Logger } from '@greenroom/log';
import type { ContentCopies } from '@greenroom/service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDiskStore } from './store/disk.ts';
import type { ObjectStore } from './store/object-store.ts';
import { ANY_WRITE, newBytes, newName, streamOf, versionsIn } from './store/testing/content.ts';
import { RecordedCopies } from './testing/recorded-copies.ts';
import { StorageServer } from './testing/storage-server.ts';

let folder: string;
let store: ObjectStore;
let warnings: object[];
let log: Logger;
let servers: AsyncDisposableStack;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-sweeping-'));
  store = await openDiskStore(folder);
  warnings = [];
  const silent = createLogger('silent');
  log = Object.assign(Object.create(silent), { warn: (details: object) => void warnings.push(details) });
  servers = new AsyncDisposableStack();
});
afterEach(async () => {
  await servers.disposeAsync();
  await store.close();
  await rm(folder, { recursive: true });
});

async function write(count: number): Promise<void> {
  for (let written = 0; written < count; written += 1)
    await store.write(newName(), streamOf(newBytes(1)), ANY_WRITE);
  // Content written at the moment of a start is kept.
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Starts on a new database that is bound to the store, and resolves when the store is swept. */
async function sweepWith(
  settings: ConfigSource,
  opened = store,
  contentCopies?: ContentCopies,
): Promise<StorageServer> {
  const before = await store.readInstanceId();
  const server = await StorageServer.open({
    store: opened,
    log,
    settings: { GREENROOM_ADOPT_STORE: 'true', ...settings },
    ...(contentCopies && { contentCopies }),
    ...(before !== undefined && { sql: `update greenroom.instance set id = '${before}'` }),
  });
  servers.use({ [Symbol.asyncDispose]: () => server.close() });
  await server.instance.waitForSweep();
  return server;
}

const orphansOverLimit = async ({ instance }: StorageServer) =>
  (await instance.context.metrics.orphansOverLimit.get()).values[0]?.value;
const quarantined = async ({ instance }: StorageServer) =>
  Object.fromEntries(
    (await instance.context.metrics.quarantine.get()).values.map(({ labels, value }) => [
      labels.event,
      value,
    ]),
  );

it('keeps too much content without rows, with a warning and a metric, until the limit is raised', async () => {
  await write(101);
  const first = await sweepWith({});
  expect(await versionsIn(store)).toHaveLength(101);
  expect(await orphansOverLimit(first)).toBe(101);
  expect(warnings).toContainEqual(
    expect.objectContaining({ total: 101, orphans: 101, maxOrphans: 100, share: 0.01, store: folder }),
  );
  const second = await sweepWith({ GREENROOM_SWEEP_MAX_ORPHANS: '101' });
  expect(await versionsIn(store)).toEqual([]);
  expect(await orphansOverLimit(second)).toBe(0);
  expect(await quarantined(second)).toMatchObject({ quarantined: 101 });
});

it('skips content whose removal is held until it is copied', async () => {
  await write(150);
  const held = (await versionsIn(store)).slice(1);
  const copies = new RecordedCopies();
  for (const version of held) copies.written({ bucket: 'b', key: version, version });
  const server = await sweepWith({}, store, copies);
  expect((await versionsIn(store)).toSorted()).toEqual(held.toSorted());
  expect(await quarantined(server)).toMatchObject({ quarantined: 1 });
});

it('removes quarantined content after the configured days, but not while a store is adopted', async () => {
  await write(2);
  await sweepWith({});
  const [day = ''] = await readdir(join(folder, 'quarantine'));
  const age = async (days: number) => {
    const [now = ''] = await readdir(join(folder, 'quarantine'));
    const then = new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
    await rename(join(folder, 'quarantine', now), join(folder, 'quarantine', then));
  };
  await age(3);
  expect(await quarantined(await sweepWith({ GREENROOM_ADOPT_STORE: 'false' }))).toEqual({
    quarantined: 0,
    restored: 0,
    removed: 0,
  });
  await age(30);
  expect(await quarantined(await sweepWith({}))).toMatchObject({ removed: 0 });
  expect(await quarantined(await sweepWith({ GREENROOM_ADOPT_STORE: 'false' }))).toMatchObject({
    removed: 2,
  });
  expect(await readdir(join(folder, 'quarantine'))).toEqual([]);
});

it('sweeps no content while the store has another id', async () => {
  await write(3);
  let isTaken = false;
  const unreadable: ObjectStore = {
    ...store,
    readInstanceId: async () => (isTaken ? randomUUID() : store.readInstanceId()),
    // Another instance takes over the store right after the start.
    async writeInstanceId(id) {
      await store.writeInstanceId(id);
      isTaken = true;
    },
  };
  await sweepWith({}, unreadable);
  expect(await versionsIn(store)).toHaveLength(3);
  expect(warnings).toContainEqual({ store: folder });
});
