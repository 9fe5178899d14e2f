/** The continuous backup of an instance to an S3 store that fails: the instance goes on serving, and nothing is lost. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArchiveStore, openStore } from '@greenroom/backup';
import { type Fault, startTestS3, type TestS3Server } from '@greenroom/backup/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type BackedUpInstance,
  createBackedUpInstance,
  LONG,
  PASSPHRASE,
  requireComplete,
  restoredState,
  shippedTexts,
  storedIn,
} from './testing/backed-up-instance.ts';

/** Each of them hits some requests. */
const FAULTS: readonly Fault[] = [
  { status: 500, code: 'InternalError' },
  { status: 503, code: 'SlowDown' },
  'cut',
  { status: 500, code: 'InternalError', isDone: true },
  'half',
  'reset',
  { delayMs: 1500 },
];

let place: string;
let server: TestS3Server;
let instance: BackedUpInstance;
let store: ArchiveStore;
let env: Record<string, string>;
/** What clients have written. */
const notes: string[] = [];
const objects: Record<string, string> = {};
const removed: string[] = [];

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-unreliable-'));
  await writeFile(join(place, 'passphrase'), PASSPHRASE, { mode: 0o600 });
  server = await startTestS3('shop');
  const { bucket, prefix, endpoint, credentials } = server.place;
  env = {
    GREENROOM_BACKUP_URL: `s3://${bucket}/${prefix}?endpoint=${endpoint}`,
    GREENROOM_BACKUP_S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
    GREENROOM_BACKUP_S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
    GREENROOM_BACKUP_LAG_SECONDS: '1',
  };
  store = await openStore(env.GREENROOM_BACKUP_URL ?? '', credentials);
  instance = await createBackedUpInstance();
  let requests = 0;
  // The archive is created, and the first backup is stored, with faults as well.
  server.inject(() => {
    requests += 1;
    return requests % 5 === 0 ? FAULTS[(requests / 5) % FAULTS.length] : undefined;
  });
  await instance.start(env);
});
afterAll(async () => {
  await instance[Symbol.asyncDispose]();
  await store.close();
  await server.close();
  await rm(place, { recursive: true });
});

/** Writes a row, an object, an object that is replaced and one that is removed; each write must succeed. */
async function write(name: string): Promise<void> {
  notes.push(name);
  await instance.insert(name);
  objects[`${name}.txt`] = `content ${name}`;
  await instance.upload(`${name}.txt`, `content ${name}`);
  await instance.upload('replaced.txt', `replaced ${name}`);
  objects['replaced.txt'] = `replaced ${name}`;
  removed.push(`removed-${name}.txt: removed ${name}`);
  await instance.upload(`removed-${name}.txt`, `removed ${name}`);
  await instance.remove(`removed-${name}.txt`);
}

describe('an instance whose S3 store', { tags: ['trial'] }, () => {
  it('fails a fifth of all requests creates its first backup, serves without errors, and stores everything', async () => {
    for (let count = 0; count < 20; count++) await write(`unreliable-${count}`);
    await vi.waitFor(async () => expect((await instance.health()).newestBackup).toBeDefined(), LONG);
    for (let count = 20; count < 40; count++) await write(`unreliable-${count}`);
    await instance.waitUntilStored(store);
    await requireComplete(store);
    expect(await shippedTexts(store)).toEqual(expect.arrayContaining(removed.slice(20)));
  });

  it('takes seconds for each response stores everything later', async () => {
    server.inject(() => ({ delayMs: 5000 }));
    for (let count = 0; count < 5; count++) await write(`slow-${count}`);
    const [row] = await instance.project.query('select clock_timestamp() as time');
    await vi.waitFor(async () => {
      const lag = (await instance.metric('lag_seconds')) ?? Number.POSITIVE_INFINITY;
      expect(Date.now() - lag * 1000).toBeGreaterThan(Number(row?.time));
    }, LONG);
    expect(await instance.metric('archive_up')).toBe(1);
    server.inject(() => undefined);
    await requireComplete(store);
    expect(await shippedTexts(store)).toEqual(expect.arrayContaining(removed.slice(-5)));
  });

  it('answers 500 only is reported as away, keeps deleted content until it is stored, and catches up', async () => {
    const before = (await storedIn(store)).backups.length;
    server.inject(() => ({ status: 500, code: 'InternalError' }));
    for (let count = 0; count < 5; count++) await write(`away-${count}`);
    await vi.waitFor(async () => expect(await instance.metric('archive_up')).toBe(0), LONG);
    expect(await instance.metric('held_objects')).toBeGreaterThanOrEqual(5);
    await instance.waitForLog('the archive of backups cannot be written; the log is kept until it can');
    expect(instance.project.printed()).toContain('the store does not respond as expected (500 InternalError');
    await write('still-away');
    server.inject(() => undefined);
    await vi.waitFor(async () => {
      expect(await instance.metric('archive_up')).toBe(1);
      expect(await instance.metric('held_objects')).toBe(0);
    }, LONG);
    await instance.waitUntilStored(store);
    await requireComplete(store);
    expect(await shippedTexts(store)).toEqual(expect.arrayContaining(removed.slice(-6)));
    expect((await storedIn(store)).backups).toHaveLength(before);
  });

  it('has failed in all these ways restores the rows and objects that clients have written', async () => {
    await instance.waitUntilStored(store);
    const restored = await restoredState(instance.project, { env, folder: join(place, 'restored') });
    expect(restored).toEqual({ notes, objects });
  });
});
