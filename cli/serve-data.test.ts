/** The data API alone as a process, on a PostgreSQL without any migration of the platform. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Database,
  type EmbeddedPostgres,
  openDatabase,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { freePort } from '@greenroom/testing/free-port';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const SECRET = 'a secret of at least thirty-two bytes';
/** While a session holds this lock, calls of `api.wait` wait. */
const LOCK = 1;
const POLL = { timeout: 25_000 };

let cluster: string;
let postgres: EmbeddedPostgres;
let admin: Database;
/** Working directory of the commands. */
let folder: string;
const running = new Set<ChildProcess>();

const run = (text: string) => admin.query({ text });

beforeAll(async () => {
  cluster = await mkdtemp(join(tmpdir(), 'greenroom-cluster-'));
  await chmod(cluster, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(cluster, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'secret',
    findTemplate: findEmptyCluster,
  });
  admin = openDatabase({ url: postgres.superuser.url, max: 1, applicationName: 'test' });
  await run("create role authenticator login noinherit password 'secret'");
  await run('create role web_anon');
  await run('create role clerk');
  await run('grant web_anon, clerk to authenticator');
  await run('create schema api');
  await run('grant usage on schema api to web_anon, clerk');
  await run('create table api.items (id int generated always as identity primary key, name text not null)');
  await run('grant select on api.items to web_anon');
  await run('grant all on api.items to clerk');
  await run('create function api.who() returns text language sql stable as $$ select current_user $$');
  await run(`create function api.wait() returns void language sql as
    $$ select pg_advisory_xact_lock(${LOCK}) $$`);
});
afterAll(async () => {
  await admin.close();
  await postgres.stop();
  await rm(cluster, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-alone-'));
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
});

/** All objects that the command could have created, in the database and in the whole server. */
async function readCatalogs(): Promise<unknown> {
  const catalogs = [
    ['pg_class', 'relname'],
    ['pg_proc', 'proname'],
    ['pg_roles', 'rolname'],
    ['pg_auth_members', 'roleid::regrole::text || member::regrole::text'],
    ['pg_namespace', 'nspname'],
    ['pg_event_trigger', 'evtname'],
    ['pg_trigger', 'tgname'],
    ['pg_policy', 'polname'],
    ['pg_extension', 'extname'],
    ['pg_database', 'datname'],
    ['pg_db_role_setting', "setrole::regrole::text || array_to_string(setconfig, ',')"],
    ['pg_default_acl', 'defaclacl::text'],
  ];
  const lists = catalogs.map(
    ([table, name]) =>
      `select '${table}' as catalog, count(*), json_agg(${name} order by ${name}) from ${table}`,
  );
  return run(lists.join(' union all '));
}

const databaseUrl = () => postgres.superuser.url.replace(/\/\/.*@/, '//authenticator:secret@');

/** Runs a command in {@link folder}, without the environment of the test run. */
function spawnCli(words: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bin.mjs'), ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, 'state'),
      LOG_LEVEL: 'warn',
      PORT: '0',
      ...env,
    },
  });
  running.add(child);
  const lines: string[] = [];
  const ended = Promise.all([
    once(child, 'close').then(([code]) => {
      running.delete(child);
      return code as number | null;
    }),
    ...[child.stdout, child.stderr].map(async (input) => {
      for await (const line of createInterface({ input })) lines.push(line);
    }),
  ]).then(([code]) => ({ code, output: lines.join('\n') }));
  return { child, lines, ended };
}

/** Starts the data API and waits until it is ready. */
async function start(env: Record<string, string> = {}) {
  const { child, lines, ended } = spawnCli(['start', '--services', 'data'], env);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  const ready = () => lines.find((line) => line.startsWith('ready '))?.slice('ready '.length);
  await expect.poll(() => ready() ?? (hasEnded && lines.join('\n')), POLL).toMatch(/^http:/);
  return { child, url: ready() ?? '', ended, lines };
}

function tokenFor(claims: object): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const ENV = () => ({
  DATABASE_URL: databaseUrl(),
  GREENROOM_REQUIRE_API_KEY: 'false',
  PGRST_DB_SCHEMAS: 'api',
  PGRST_DB_ANON_ROLE: 'web_anon',
  PGRST_JWT_SECRET: SECRET,
});

describe('greenroom start --services data', () => {
  it('serves an existing database, and creates nothing in it or in the working directory', async () => {
    const before = await readCatalogs();
    const { child, url, ended, lines } = await start(ENV());
    const headers = { authorization: `Bearer ${tokenFor({ role: 'clerk' })}` };
    const request = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${url}/rest/v1${path}`, init);
      return [response.status, await response.json()];
    };
    expect(await request('/rpc/who')).toEqual([200, 'web_anon']);
    expect(await request('/rpc/who', { headers })).toEqual([200, 'clerk']);
    const posted = await request('/items', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
      body: '{"name":"tea"}',
    });
    expect(posted).toEqual([201, [{ id: 1, name: 'tea' }]]);
    expect(await request('/items')).toEqual([200, [{ id: 1, name: 'tea' }]]);
    expect((await fetch(`${url}/items`)).status).toBe(200);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await readCatalogs()).toEqual(before);
    expect(lines.join('\n')).not.toContain('secret');

    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, output: expect.stringMatching(/stopping$/) });
    expect(await readCatalogs()).toEqual(before);
    expect(await readdir(folder)).toEqual([]);
  });

  it('finishes running requests on a stop signal, and tolerates a second server on the same database', async () => {
    const first = await start(ENV());
    const second = await start(ENV());
    await run(`select pg_advisory_lock(${LOCK})`);
    const waiting = fetch(`${first.url}/rpc/wait`, { method: 'POST' });
    const blocked = "select from pg_stat_activity where wait_event = 'advisory'";
    await expect.poll(() => run(blocked), POLL).toHaveLength(1);
    first.child.kill('SIGINT');
    const isClosed = () =>
      fetch(first.url).then(
        () => false,
        () => true,
      );
    await expect.poll(isClosed, POLL).toBe(true);
    await run(`select pg_advisory_unlock(${LOCK})`);
    expect((await waiting).status).toBe(204);
    expect((await first.ended).code).toBe(0);
    expect((await fetch(`${second.url}/items`)).status).toBe(200);
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(0);
  });

  it.each(['SIGUSR1', 'SIGUSR2'] as const)('reloads schema and settings on %s', async (signal) => {
    const { url, child } = await start({ ...ENV(), PGRST_DB_CHANNEL_ENABLED: 'false' });
    const fetchLate = () =>
      fetch(`${url}/late`).then(async (response) => [response.status, await response.json()]);
    await run('create table api.late as select 1 as id union all select 2');
    await run('grant select on api.late to web_anon');
    await run("alter role authenticator set pgrst.db_max_rows = '1'");
    expect(await fetchLate()).toMatchObject([404, { code: 'PGRST205' }]);
    child.kill(signal);
    await expect.poll(fetchLate, POLL).toEqual([200, [{ id: 1 }]]);
    await run('drop table api.late');
    await run('alter role authenticator reset all');
  });

  it('starts and stops without its database', async () => {
    const port = await freePort();
    // No process listens on port 1.
    const env = { ...ENV(), DATABASE_URL: 'postgresql://authenticator@127.0.0.1:1/shop', PORT: String(port) };
    const { child, ended } = spawnCli(['start', '--services', 'data'], env);
    const status = (path: string) =>
      fetch(`http://127.0.0.1:${port}${path}`).then(
        (response) => response.status,
        () => undefined,
      );
    await expect.poll(() => status('/health'), POLL).toBe(503);
    expect(await status('/rest/v1/items')).toBe(503);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('reads settings by their PostgREST names, including values from files', async () => {
    const { DATABASE_URL, ...env } = ENV();
    const lines = Object.entries({ ...env, PGRST_DB_URI: DATABASE_URL, PGRST_SERVER_PORT: '0' });
    await writeFile(join(folder, '.env'), lines.map(([name, value]) => `${name}='${value}'\n`).join(''));
    const { url } = await start({ PORT: '' });
    expect(await (await fetch(`${url}/rpc/who`)).json()).toBe('web_anon');
  });

  it('creates API keys if they are required', async () => {
    const env = { ...ENV(), GREENROOM_REQUIRE_API_KEY: 'true', PGRST_DB_ANON_ROLE: '' };
    const { url, lines } = await start(env);
    expect(lines).toContain('  keys        npx greenroom status');
    const status = JSON.parse((await spawnCli(['status', '-o', 'json'], env).ended).output);
    expect(status.API_URL).toBe(url);
    const token = tokenFor({ role: 'clerk' });
    const headers = { apikey: status.PUBLISHABLE_KEY, authorization: `Bearer ${token}` };
    expect(await (await fetch(`${url}/rpc/who`, { headers })).json()).toBe('clerk');
    expect((await fetch(`${url}/rpc/who`)).status).toBe(401);
    expect(await spawnCli(['start', '--services', 'data'], env).ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('is in use by the process'),
    });
  });

  it.each<[string, string[], Record<string, string>, string]>([
    [
      'a start without a database',
      ['start', '--services', 'data'],
      {},
      'DATABASE_URL="" is not allowed. Allowed: postgresql://',
    ],
    [
      'an invalid setting',
      ['start', '--services', 'data'],
      { DATABASE_URL: 'postgresql://a@b/c', PGRST_DB_POOL: '0' },
      'PGRST_DB_POOL="0" is not allowed',
    ],
    [
      'an unknown service',
      ['start', '--services', 'auth,function'],
      {},
      'unknown service "function" in --services. Use auth, data, storage, realtime, functions, jobs, meta, or omit it to start all.',
    ],
    [
      'an empty list of services',
      ['start', '--services'],
      {},
      "Option '--services <value>' argument missing",
    ],
    ['an unknown option', ['start', '--service=data'], {}, "Unknown option '--service'"],
    [
      'the selection of services in development',
      ['dev', '--services=data'],
      {},
      "Unknown option '--services'",
    ],
  ])('rejects %s', async (_, words, env, message) => {
    const { code, output } = await spawnCli(words, env).ended;
    expect([code, output]).toEqual([1, expect.stringContaining(`error: ${message}`)]);
    expect(await readdir(folder)).toEqual([]);
  });
});
