import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConfigSource, loadStandaloneConfig } from '@greenroom/config';
import { createApiKeys } from '@greenroom/keys';
import { choosePort } from '@greenroom/ports';
import { createTestDatabase, TEST_JWT_SECRET, type TestDatabase } from '@greenroom/testing';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type StandaloneStorage, startStandaloneStorage } from './standalone-storage.ts';

const HOST = '127.0.0.1';

let database: TestDatabase;
let folder: string;
let running: StandaloneStorage | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-storage-'));
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

async function start(env: ConfigSource = {}): Promise<StandaloneStorage> {
  running = await startStandaloneStorage(
    loadStandaloneConfig({
      PORT: String(await choosePort({ host: HOST, port: 0, fixed: true })),
      DATABASE_URL: database.storageUrl,
      GREENROOM_DATA_DIR: folder,
      GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
      LOG_LEVEL: 'silent',
      ...env,
    }),
  );
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

async function clientAt(url: string) {
  const { serviceRole } = await createApiKeys({
    jwtSecret: TEST_JWT_SECRET,
    publishableKey: 'sb_publishable_x',
    secretKey: 'sb_secret_x',
    createdAt: Math.floor(Date.now() / 1000),
  });
  return createClient(url, serviceRole, { auth: { persistSession: false } }).storage;
}

const files = async () =>
  (await readdir(join(folder, 'storage', 'objects'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('storage alone', () => {
  it('serves, keeps what it has, and removes at its start what no row knows', async () => {
    const first = await start();
    const before = await clientAt(first.url);
    await before.createBucket('alone');
    expect((await before.from('alone').upload('a/b.txt', 'hello')).error).toBeNull();
    const [kept] = await files();
    expect(await (await fetch(`${first.url}/health`)).json()).toEqual({
      status: 'ok',
      parts: { storage: 'ok' },
    });
    expect(await (await fetch(`${first.url}/metrics`)).text()).toContain(
      'greenroom_storage_objects_written_total',
    );
    await stop();

    const stray = randomUUID();
    const place = join(folder, 'storage', 'objects', stray.slice(0, 2));
    await mkdir(place, { recursive: true });
    await writeFile(join(place, stray), 'left over');
    // Files of the very moment of a start stay: they could be its own.
    await sleep(200);
    const second = await start();
    await expect.poll(files, { timeout: 20_000 }).toEqual([kept]);
    const after = await clientAt(second.url);
    expect(await (await after.from('alone').download('a/b.txt')).data?.text()).toBe('hello');
  });

  it('does not log in as a superuser, or as somebody else', async () => {
    await expect(start({ DATABASE_URL: database.url })).rejects.toThrow('this is "postgres"');
    await expect(start({ DATABASE_URL: database.authenticatorUrl })).rejects.toThrow(
      'this is "authenticator"',
    );
  });

  it('has one folder for itself', async () => {
    await start();
    const mine = running;
    await expect(start()).rejects.toThrow('is in use by');
    running = mine;
  });
});
