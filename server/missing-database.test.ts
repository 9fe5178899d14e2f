/** An instance whose database is missing, new or a different one: it does not start, and keeps its files. */
import { existsSync } from 'node:fs';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { createLogger } from '@greenroom/log';
import {
  type EmbeddedPostgres,
  migrate,
  openDatabase,
  platformMigrations,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import {
  createEmptyDatabase,
  createTestDatabase,
  type EmptyDatabase,
  freePort,
  TEST_JWT_SECRET,
} from '@greenroom/testing';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBackend } from './backend.ts';
import { servicesNamed } from './services.ts';
import { type Config, loadConfig } from './settings.ts';
import { startStandalone } from './standalone.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const ADOPT = { GREENROOM_ADOPT_STORE: 'true' };

/** A folder after a first start, with an object. */
let prepared: string;
let folder: string;
/** Server of external databases. Roles belong to the whole server, so no other tests use it. */
let postgres: EmbeddedPostgres;
let postgresFolder: string;
const externals: EmptyDatabase[] = [];

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'greenroom-missing-'));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  postgresFolder = await newFolder();
  postgres = await startEmbeddedPostgres({
    directory: join(postgresFolder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
  prepared = await newFolder();
  const instance = await start({ GREENROOM_DATA_DIR: prepared });
  const storage = storageOf(instance);
  await storage.createBucket('b');
  expect((await storage.from('b').upload('a.txt', 'precious')).error).toBeNull();
  await instance.close();
});
afterAll(async () => {
  await rm(prepared, { recursive: true, force: true });
  for (const external of externals) await external.drop();
  await postgres.stop();
  await rm(postgresFolder, { recursive: true });
});
beforeEach(async () => {
  folder = await newFolder();
  await copyFolder(prepared, folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function configOf(source: ConfigSource): Promise<Config> {
  return loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: folder,
    // Instances on one server have one secret, because the passwords of roles derive from it.
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    LOG_LEVEL: 'silent',
    ...source,
  });
}

/** Starts only the service that has a store; the start of the others would take most of the time of a test. */
async function start(source: ConfigSource = {}): Promise<Greenroom> {
  const services = servicesNamed(['storage']);
  return startGreenroom({ config: await configOf(source), pages: 'none', services });
}

async function externalDatabase(): Promise<string> {
  const external = await createEmptyDatabase(postgres.superuser.url);
  externals.push(external);
  return external.url;
}

function storageOf({ url, backend }: Greenroom) {
  return createClient(url, backend?.apiKeys.serviceRole ?? '', { auth: { persistSession: false } }).storage;
}

/** Returns content files below the folder of the store, in their place or in quarantine. */
async function contents(part: 'objects' | 'quarantine'): Promise<string[]> {
  const path = join(folder, 'storage', part);
  if (!existsSync(path)) return [];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')));
}

async function waitForSweep(instance: Greenroom): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${instance.url}/health`)).status, { timeout: 20_000 })
    .toBe(200);
}

describe('a data folder without its folder "postgres"', () => {
  beforeEach(() => rm(join(folder, 'postgres'), { recursive: true }));

  it('is rejected before a new cluster is created, and starts after the restore', async () => {
    await expect(start()).rejects.toThrow(/its database \(folder "postgres"\) is missing/);
    await expect(start()).rejects.toThrow('GREENROOM_ADOPT_STORE=true');
    expect(existsSync(join(folder, 'postgres', 'PG_VERSION'))).toBe(false);
    expect(await contents('objects')).toEqual(['precious']);
    await rm(join(folder, 'postgres'), { recursive: true, force: true });
    await copyFolder(join(prepared, 'postgres'), join(folder, 'postgres'));
    const instance = await start();
    expect(await (await storageOf(instance).from('b').download('a.txt')).data?.text()).toBe('precious');
    await instance.close();
  });

  it('is rejected if it has only the content', async () => {
    for (const name of ['keys.json', 'instance.json']) await rm(join(folder, name));
    await expect(start()).rejects.toThrow('but the database is new');
    expect(existsSync(join(folder, 'postgres', 'PG_VERSION'))).toBe(false);
    expect(await contents('objects')).toEqual(['precious']);
  });

  it('is rejected if the content has no id, and if there is only an id', async () => {
    await rm(join(folder, 'instance.json'));
    await rm(join(folder, 'storage', 'instance-id'));
    await expect(start()).rejects.toThrow('contains objects of another instance, but the database is new');
    await rm(join(folder, 'storage', 'objects'), { recursive: true });
    await writeFile(join(folder, 'storage', 'instance-id'), 'another\n');
    await expect(start()).rejects.toThrow('belongs to the instance another, but the database is new');
  });

  it('is adopted on request, which moves the content to quarantine until its database is restored', async () => {
    const instance = await start(ADOPT);
    await expect.poll(() => contents('quarantine')).toEqual(['precious']);
    expect(await contents('objects')).toEqual([]);
    await instance.close();
    const again = await start();
    await waitForSweep(again);
    await again.close();

    await rm(join(folder, 'postgres'), { recursive: true });
    await copyFolder(join(prepared, 'postgres'), join(folder, 'postgres'));
    await expect(start()).rejects.toThrow('but the database belongs to the instance');
    const restored = await start(ADOPT);
    expect(await (await storageOf(restored).from('b').download('a.txt')).data?.text()).toBe('precious');
    await expect.poll(() => contents('objects')).toEqual(['precious']);
    expect(await contents('quarantine')).toEqual([]);
    await restored.close();
  });
});

it('a data folder without keys.json is rejected unchanged, and starts after the restore', async () => {
  const keys = await readFile(join(folder, 'keys.json'), 'utf8');
  await rm(join(folder, 'keys.json'));
  await expect(start()).rejects.toThrow('its file "keys.json" is missing');
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
  await writeFile(join(folder, 'keys.json'), keys);
  await (await start()).close();
});

describe('an external database', () => {
  it('that is new is unchanged after a start with the folder of another instance', async () => {
    const DATABASE_URL = await externalDatabase();
    await expect(start({ DATABASE_URL })).rejects.toThrow('but the database is new');
    expect(await contents('objects')).toEqual(['precious']);
    const database = openDatabase({ url: DATABASE_URL, max: 1, applicationName: 'test' });
    expect(await database.query({ text: `select to_regnamespace('greenroom') as made` })).toEqual([
      { made: null },
    ]);
    await database.close();
  });

  it('of another instance is rejected, and adopted on request', async () => {
    const DATABASE_URL = await externalDatabase();
    const GREENROOM_DATA_DIR = await newFolder();
    await (await start({ DATABASE_URL, GREENROOM_DATA_DIR })).close();
    await expect(start({ DATABASE_URL })).rejects.toThrow('but the database belongs to the instance');
    expect(await contents('objects')).toEqual(['precious']);
    await (await start({ DATABASE_URL, ...ADOPT })).close();
    await (await start({ DATABASE_URL })).close();
    await rm(GREENROOM_DATA_DIR, { recursive: true });
  });

  it('serves several nodes with copies of one keys.json', async () => {
    const DATABASE_URL = await externalDatabase();
    const folders = [await newFolder(), await newFolder()];
    for (const path of folders) await cp(join(prepared, 'keys.json'), join(path, 'keys.json'));
    const nodes = [];
    for (const GREENROOM_DATA_DIR of folders) nodes.push(await start({ DATABASE_URL, GREENROOM_DATA_DIR }));
    const ids = folders.map((path) => readFile(join(path, 'storage', 'instance-id'), 'utf8'));
    expect(new Set(await Promise.all(ids)).size).toBe(1);
    for (const node of nodes) await node.close();
    for (const path of folders) await rm(path, { recursive: true });
  });
});

describe('an interrupted first start', () => {
  const attempt = async (source: ConfigSource = {}) => {
    await (await start(source)).close();
  };

  it('continues if only keys exist', async () => {
    const empty = await newFolder();
    await cp(join(prepared, 'keys.json'), join(empty, 'keys.json'));
    await attempt({ GREENROOM_DATA_DIR: empty });
    expect(existsSync(join(empty, 'storage', 'instance-id'))).toBe(true);
    await rm(empty, { recursive: true });
  });

  it.each([
    ['between migrations', undefined],
    ['before the id of the database was stored', 'update greenroom.instance set id = null'],
    ['before the id of the store was stored', 'select'],
  ])('continues after an interruption %s', async (_, sql) => {
    const DATABASE_URL = await externalDatabase();
    const GREENROOM_DATA_DIR = await newFolder();
    const database = openDatabase({ url: DATABASE_URL, max: 1, applicationName: 'test' });
    if (sql === undefined) {
      await migrate(DATABASE_URL, [platformMigrations]);
    } else {
      await attempt({ DATABASE_URL, GREENROOM_DATA_DIR });
      await database.query({ text: sql });
      await rm(join(GREENROOM_DATA_DIR, 'storage', 'instance-id'));
    }
    await attempt({ DATABASE_URL, GREENROOM_DATA_DIR });
    const [row] = await database.query({
      text: 'select id, is_from_before_ids as old from greenroom.instance',
    });
    expect(row).toEqual({ id: expect.any(String), old: false });
    const id = await readFile(join(GREENROOM_DATA_DIR, 'storage', 'instance-id'), 'utf8');
    expect(id).toBe(`${row?.id}\n`);
    await database.close();
    await rm(GREENROOM_DATA_DIR, { recursive: true });
  });
});

describe('a data folder of an earlier version', () => {
  /** Restores the state before the migration: neither the table nor the file exists. */
  async function backdate(sql = 'select'): Promise<void> {
    const backend = await openBackend({
      config: await configOf({}),
      log: createLogger('silent'),
      onProgress: () => {},
    });
    await backend.admin.query({ text: sql });
    await backend.admin.query({ text: 'drop table greenroom.instance_row cascade' });
    await backend.admin.query({ text: 'drop view greenroom.outbox' });
    await backend.admin.query({
      text: 'create policy insert_messages on greenroom.messages for insert to supabase_auth_admin with check (true)',
    });
    await backend.admin.query({
      text: `delete from greenroom.migrations where version in ('0003_instance', '0024_no_policies_of_services')`,
    });
    await backend.close();
    await rm(join(folder, 'storage', 'instance-id'));
  }

  it.each([
    ['with objects', 'select'],
    [
      'whose rows have all been deleted',
      `do $$ begin perform set_config('storage.allow_delete_query', 'true', true); delete from storage.objects; end $$`,
    ],
  ])('%s starts and gets an id', async (_, sql) => {
    await backdate(sql);
    await (await start()).close();
    expect(await readFile(join(folder, 'storage', 'instance-id'), 'utf8')).toMatch(/^[0-9a-f-]{36}\n$/);
    expect([...(await contents('objects')), ...(await contents('quarantine'))]).toEqual(['precious']);
  });

  it('without its database is rejected', async () => {
    await backdate();
    await rm(join(folder, 'postgres'), { recursive: true });
    await expect(start()).rejects.toThrow('is missing');
    await rm(join(folder, 'instance.json'));
    await expect(start()).rejects.toThrow('contains objects of another instance');
    expect(await contents('objects')).toEqual(['precious']);
  });
});

describe('storage without other services', () => {
  it('rejects the folder of another instance, and keeps its content', async () => {
    const database = await createTestDatabase();
    const config = async (source: ConfigSource = {}) =>
      loadStandaloneConfig({
        PORT: String(await freePort()),
        DATABASE_URL: database.storageUrl,
        GREENROOM_DATA_DIR: folder,
        GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
        LOG_LEVEL: 'silent',
        ...source,
      });
    await expect(config().then((alone) => startStandalone('storage', alone))).rejects.toThrow(
      'but the database is new',
    );
    expect(await contents('objects')).toEqual(['precious']);
    await (await startStandalone('storage', await config(ADOPT))).close();
    expect([...(await contents('objects')), ...(await contents('quarantine'))]).toEqual(['precious']);
    await database.drop();
  });
});

it('content that is unknown to an older database is in quarantine until the newer one is restored', async () => {
  const backup = await newFolder();
  await copyFolder(join(folder, 'postgres'), join(backup, 'postgres'));
  const before = await start();
  expect((await storageOf(before).from('b').upload('late.txt', 'late')).error).toBeNull();
  await before.close();
  const newest = join(backup, 'newest');
  await rename(join(folder, 'postgres'), newest);
  await copyFolder(join(backup, 'postgres'), join(folder, 'postgres'));
  const older = await start();
  await expect.poll(() => contents('quarantine')).toEqual(['late']);
  expect(await contents('objects')).toEqual(['precious']);
  await older.close();
  await rm(join(folder, 'postgres'), { recursive: true });
  await rename(newest, join(folder, 'postgres'));
  const after = await start();
  expect(await (await storageOf(after).from('b').download('late.txt')).data?.text()).toBe('late');
  await expect.poll(() => contents('quarantine')).toEqual([]);
  expect((await contents('objects')).toSorted()).toEqual(['late', 'precious']);
  await after.close();
  await rm(backup, { recursive: true });
});
