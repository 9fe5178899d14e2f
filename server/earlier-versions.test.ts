/** The data folder of every earlier version starts, keeps its content, and runs a project. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyFile, type KeyFile } from '@greenroom/keys';
import { startEmbeddedPostgres, withSystemSearchPath } from '@greenroom/postgres';
import {
  initialiseFormerCluster,
  type MigrationCounts,
  migrateAsFormerVersion,
  runSql,
  startPlainServer,
} from '@greenroom/postgres/testing/former-cluster';
import { findProject, type ProjectToRun } from '@greenroom/project';
import { freePort } from '@greenroom/testing';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

const ADA = '11111111-1111-4111-8111-111111111111';
const FILES = {
  'migrations/1_products.sql': `create table public.products (id int primary key);
    insert into public.products values (1);
    create policy mine on storage.objects for select using (true)`,
  'seed.sql': 'insert into public.products values (2)',
};

/** A folder with an empty cluster of the former roles, and the project. */
let prepared: string;
let keys: KeyFile;
let project: ProjectToRun;
let folder: string;
let greenroom: Greenroom | undefined;

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'greenroom-earlier-'));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  prepared = await newFolder();
  keys = await generateKeyFile(1_764_000_000);
  for (const [name, sql] of Object.entries(FILES)) {
    await mkdir(join(prepared, 'supabase', 'migrations'), { recursive: true });
    await writeFile(join(prepared, 'supabase', name), sql);
  }
  const found = await findProject(prepared);
  if (found === undefined) throw new Error('the project was not found');
  project = { project: found, name: 'shop' };
  await initialiseFormerCluster(join(prepared, 'postgres'), keys.databasePassword);
}, 60_000);
afterAll(() => rm(prepared, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await newFolder();
});
afterEach(async () => {
  await greenroom?.close();
  greenroom = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** The number of migrations of a version. */
function counts(
  platform: number,
  auth: number,
  others: { storage: number; realtime?: number; app: number },
): MigrationCounts {
  const { storage, realtime = 2, app } = others;
  return {
    'platform/postgres': platform,
    'services/auth': auth,
    'services/data': 1,
    'services/storage': storage,
    'services/realtime': realtime,
    app,
  };
}

/** Fills the cluster as an earlier version with `postgres` as the superuser. */
async function fillFormerCluster(migrations: MigrationCounts, sql: string): Promise<void> {
  await copyFolder(join(prepared, 'postgres'), join(folder, 'postgres'));
  const server = await startPlainServer(join(folder, 'postgres'));
  const url = server.urlOf('postgres', keys.databasePassword);
  await migrateAsFormerVersion(url, join(folder, 'copies'), migrations);
  await runSql(url, sql);
  await server.stop();
  const { databaseSuperuserPassword: _, ...former } = keys;
  await writeFile(join(folder, 'keys.json'), JSON.stringify(former), { mode: 0o600 });
}

/** Fills the cluster as an earlier version with the present roles. */
async function fillCluster(migrations: MigrationCounts, sql: string): Promise<void> {
  const { databasePassword: password, databaseSuperuserPassword: superuserPassword = '' } = keys;
  const findTemplate = findEmptyCluster;
  const options = { directory: join(folder, 'postgres'), port: 0, portIsFixed: false, findTemplate };
  const postgres = await startEmbeddedPostgres({ ...options, password, superuserPassword });
  const url = withSystemSearchPath(postgres.superuser.url);
  await migrateAsFormerVersion(url, join(folder, 'copies'), migrations);
  await runSql(url, sql);
  await postgres.stop();
  await writeFile(join(folder, 'keys.json'), JSON.stringify(keys), { mode: 0o600 });
}

async function start(): Promise<string[]> {
  const lines: string[] = [];
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DB_PORT: '0',
    GREENROOM_DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  });
  greenroom = await startGreenroom({
    config,
    project,
    pages: 'none',
    onProgress: (line) => lines.push(line),
  });
  return lines;
}

const ACCOUNT = `insert into auth.users (id, email) values ('${ADA}', 'ada@example.org');`;
const NOTE = `${ACCOUNT} insert into public.notes (owner_id, text) values ('${ADA}', 'hello');`;

const CONTENT = `
  select array_agg(id::text) as accounts, to_regclass('public.notes') is not null as has_board from auth.users`;

const ROLES =
  'changing the roles of the database: supabase_admin becomes the superuser, postgres the owner of the project';
const IN_USE =
  'no seeds are run, because the database was in use before it had a project. Run them: greenroom db seed';

/** Each version is named by a part that was new in it. */
it.each<[string, typeof fillCluster, MigrationCounts, string, string[]]>([
  ['the files', fillFormerCluster, counts(2, 4, { storage: 5, app: 3 }), NOTE, [ROLES]],
  ['recovery codes', fillFormerCluster, counts(3, 8, { storage: 7, app: 4 }), NOTE, [ROLES]],
  ['lists by date', fillFormerCluster, counts(3, 9, { storage: 9, app: 4 }), NOTE, [ROLES]],
  ['projects', fillFormerCluster, counts(5, 9, { storage: 9, app: 4 }), NOTE, [ROLES, IN_USE]],
  ['the demo project', fillFormerCluster, counts(9, 9, { storage: 9, app: 5 }), ACCOUNT, [ROLES, IN_USE]],
  ['hosted roles', fillCluster, counts(11, 9, { storage: 9, realtime: 3, app: 5 }), ACCOUNT, [IN_USE]],
])(
  'starts the folder of the version with %s',
  async (_, fill, migrations, sql, expected) => {
    await fill(migrations, sql);
    const lines = await start();
    expect(lines.filter((line) => /project|seed/.test(line))).toEqual([
      ...expected,
      'applied 1 migration of the project',
    ]);
    const { url = '', backend } = greenroom ?? {};
    const client = createClient(url, backend?.apiKeys.serviceRole ?? '', { auth: { persistSession: false } });
    expect(await client.from('products').select()).toMatchObject({ status: 200, data: [{ id: 1 }] });
    expect(await client.storage.listBuckets()).toMatchObject({ error: null });
    expect(await runSql(backend?.databaseUrl ?? '', CONTENT)).toEqual([
      { accounts: [ADA], has_board: sql === NOTE },
    ]);
  },
  60_000,
);
