import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMaintenance } from '@greenroom/app';
import type { ConfigSource } from '@greenroom/config';
import { openDataFolder, readInstanceRecord } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { openDatabase } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { createClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBackend } from './backend.ts';
import { deletedAccounts } from './deleted-accounts.ts';
import { type Config, loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';
import { demoProject, demoTasks } from './testing/demo.ts';

/** The bucket of account pictures. */
const PICTURES = 'greenroom-account-pictures';

let folder: string;
/** A folder after a first start: the tests begin with copies, because creating a cluster takes longer than the rest. */
let prepared: string;

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'greenroom-start-'));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  prepared = await newFolder();
  const config = await readConfig({ GREENROOM_DATA_DIR: prepared });
  await (await startGreenroom({ config, pages: 'none' })).close();
});
afterAll(() => rm(prepared, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await newFolder();
  await copyFolder(prepared, folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function readConfig(source: ConfigSource = {}): Promise<Config> {
  const PORT = String(await freePort());
  return loadConfig({ PORT, GREENROOM_DATA_DIR: folder, LOG_LEVEL: 'silent', ...source });
}

/** PostgreSQL removes its pid file when it has shut down; then another server may use the folder. */
async function expectAllClosed(dataFolder = folder): Promise<void> {
  expect(existsSync(join(dataFolder, 'postgres', 'PG_VERSION'))).toBe(true);
  expect(existsSync(join(dataFolder, 'postgres', 'postmaster.pid'))).toBe(false);
  (await openDataFolder(dataFolder)).release();
}

/** Returns the pids of the processes that work in a folder. */
async function processesIn(path: string): Promise<number[]> {
  const target = await realpath(path);
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined)));
  return pids.filter((_, index) => folders[index] === target);
}

/** Starts one instance on a separate folder for the tests of a block, and stops it after them. */
function useInstance(source: ConfigSource): { greenroom: Greenroom; folder: string } {
  const shared = {} as ReturnType<typeof useInstance>;
  beforeAll(async () => {
    shared.folder = await newFolder();
    await copyFolder(prepared, shared.folder);
    const config = await readConfig({ GREENROOM_DATA_DIR: shared.folder, ...source });
    shared.greenroom = await startGreenroom({ config, pages: 'none' });
  });
  afterAll(async () => {
    await shared.greenroom.close();
    await rm(shared.folder, { recursive: true, force: true });
  });
  return shared;
}

describe('startGreenroom', () => {
  it('closes all parts if the server cannot be created', async () => {
    const config = { ...(await readConfig()), trustedProxies: ['abc'] };
    await expect(startGreenroom({ config, pages: 'none' })).rejects.toThrow('Invalid socket address');
    await expectAllClosed();
  });

  it('closes all parts if the server cannot listen', async () => {
    const config = { ...(await readConfig()), host: '192.0.2.1' };
    await expect(startGreenroom({ config, pages: 'none' })).rejects.toThrow('EADDRNOTAVAIL');
    await expectAllClosed();
  });

  it('sends the HTTP requests of SQL to its own API, also those that an earlier start has left', async () => {
    const earlier = await startGreenroom({
      config: await readConfig({ GREENROOM_JOBS_ENABLED: 'false' }),
      pages: 'none',
    });
    const { databaseUrl = '', apiKeys } = earlier.backend ?? {};
    const owner = openDatabase({ url: databaseUrl, max: 1, applicationName: 'test' });
    const headers = JSON.stringify({ apikey: apiKeys?.anon });
    await owner.query({
      text: `select net.http_get('http://kong:8000/auth/v1/health', headers := $1)`,
      values: [headers],
    });
    await owner.close();
    await earlier.close();
    const later = await startGreenroom({ config: await readConfig(), pages: 'none' });
    const reader = openDatabase({ url: later.backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    try {
      const read = () => reader.query({ text: 'select status_code, error_msg from net._http_response' });
      await expect.poll(read).toEqual([{ status_code: 200, error_msg: null }]);
      const health = await fetch(`${later.url}/health`, { headers: { connection: 'close' } });
      expect((await health.json()).parts.jobs).toBe('ok');
    } finally {
      await reader.close();
      await later.close();
    }
  });

  it('removes the files of users whose accounts are deleted, and no others', async () => {
    const config = await readConfig({ GREENROOM_JWT_SECRET: 'a'.repeat(32) });
    const project = await demoProject();
    const { url, backend, close } = await startGreenroom({ config, project, pages: 'none' });
    const { serviceRole = '', anon = '' } = backend?.apiKeys ?? {};
    const admin = createClient(url, serviceRole, { auth: { persistSession: false } });
    const signUp = async (email: string) => {
      const client = createClient(url, anon, { auth: { persistSession: false } });
      const { data } = await client.auth.signUp({ email, password: 'correct horse' });
      const id = data.user?.id ?? '';
      const files = client.storage.from('files');
      const put = (path: string) => files.upload(`${id}/${path}`, new Blob(['x'], { type: 'text/plain' }));
      await Promise.all([put('a.txt'), put('one/two/b.txt')]);
      const picture = new Blob(['x'], { type: 'image/png' });
      await admin.storage.from(PICTURES).upload(`${id}/a.png`, picture);
      const count = async () => {
        const lists = await Promise.all(
          ['files', PICTURES].map((bucket) =>
            admin.storage.from(bucket).listV2({ prefix: `${id}/`, with_delimiter: false }),
          ),
        );
        return lists.map(({ data: found }) => found?.objects.length);
      };
      return { id, put, count };
    };
    await admin.storage.createBucket(PICTURES, { public: true });
    const [ada, bob] = [await signUp('ada@example.org'), await signUp('bob@example.org')];
    // A bucket of another app may have folders of ids that no account here has.
    await admin.storage.from('files').upload(`${randomUUID()}/kept.txt`, 'kept');
    expect(await ada.count()).toEqual([2, 1]);
    await admin.auth.admin.deleteUser(ada.id);
    const record = await readInstanceRecord(config.dataDirectory);
    const adminUrl = record?.credentials?.adminDatabaseUrl ?? '';
    const database = openDatabase({ url: adminUrl, max: 1, applicationName: 'test' });
    const warnings: object[] = [];
    const log = { ...createLogger('silent'), warn: (details: object) => void warnings.push(details) };
    const stop = startMaintenance(
      {
        apiUrl: url,
        serviceRoleKey: serviceRole,
        deletedAccounts: deletedAccounts(database),
        log,
      },
      await demoTasks(),
      { initialDelayMs: 0, intervalMs: 20 },
    );
    await expect.poll(ada.count, { timeout: 20_000 }).toEqual([0, 0]);
    // Their token is still valid.
    expect((await ada.put('late.txt')).error).toBeNull();
    await expect.poll(ada.count, { timeout: 20_000 }).toEqual([0, 0]);
    // A user who has the id now keeps the files.
    await admin.auth.admin.createUser({ id: ada.id, email: 'ada2@example.org', password: 'correct horse' });
    await expect
      .poll(async () => (await admin.from('greenroom_deleted_people').select('id')).data, { timeout: 20_000 })
      .toEqual([]);
    await expect
      .poll(() => database.query({ text: 'select from greenroom.deleted_accounts' }), { timeout: 20_000 })
      .toEqual([]);
    await ada.put('new.txt');
    await stop();
    await database.close();
    expect(await ada.count()).toEqual([1, 0]);
    expect(await bob.count()).toEqual([2, 1]);
    expect((await admin.storage.from('files').list()).data).toHaveLength(3);
    const stranger = createClient(url, anon, { auth: { persistSession: false } });
    expect((await stranger.from('greenroom_deleted_people').select()).error?.code).toBe('42501');
    expect(warnings).toEqual([]);
    await close();
    await expectAllClosed();
  });

  it('requires a key for its metrics if it has a public URL', async () => {
    const config = await readConfig({ SITE_URL: 'https://example.org' });
    const { url, backend, close } = await startGreenroom({ config, pages: 'none' });
    const statuses = async (headers: Record<string, string>) =>
      (await fetch(`${url}/metrics`, { headers: { ...headers, connection: 'close' } })).status;
    expect(await statuses({})).toBe(403);
    expect(await statuses({ apikey: backend?.apiKeys.serviceRole ?? '' })).toBe(200);
    await close();
    await expectAllClosed();
  });

  it('accepts the configured service_role key of a hosted backend', async () => {
    const config = await readConfig({
      HOST: '0.0.0.0',
      SUPABASE_URL: 'https://project.example',
      SUPABASE_ANON_KEY: 'anon',
      SUPABASE_SERVICE_ROLE_KEY: 'sb_secret_theirs',
    });
    const { url, close } = await startGreenroom({ config, pages: 'none' });
    const statuses = async (apikey: string) =>
      (await fetch(`${url}/metrics`, { headers: { apikey, connection: 'close' } })).status;
    expect([await statuses('sb_secret_guess'), await statuses('sb_secret_theirs')]).toEqual([403, 200]);
    await close();
  });
});

describe('an instance', () => {
  const shared = useInstance({ GOTRUE_OAUTH_SERVER_ENABLED: 'true' });

  it('reads the log of the embedded PostgreSQL by TCP, whose buffers hold far more changes', async () => {
    const { backend } = shared.greenroom;
    const admin = openDatabase({ url: backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    const [walsender] = await admin.query({
      text: 'select host(client_addr) as address from pg_stat_replication',
    });
    await admin.close();
    expect(walsender).toEqual({ address: '127.0.0.1' });
  });

  it('keeps one connection that listens for all services, and none of parts that rarely use the database', async () => {
    const { backend } = shared.greenroom;
    const admin = openDatabase({ url: backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    const text = `select application_name as name, count(*)::int as count from pg_stat_activity
      where application_name = any ($1) group by 1 order by application_name collate "C"`;
    const rare = ['greenroom data catalog', 'greenroom functions'];
    const values = [['greenroom', 'greenroom jobs', 'greenroom, listening', ...rare]];
    await expect
      .poll(() => admin.query({ text, values }), { timeout: 20_000 })
      .toEqual([
        { name: 'greenroom', count: 1 },
        { name: 'greenroom jobs', count: 1 },
        { name: 'greenroom, listening', count: 1 },
      ]);
    await admin.close();
  });

  it('accepts an API key in the URL for the data API, and derives the role from it', async () => {
    const { url, backend } = shared.greenroom;
    const keys = backend?.apiKeys;
    const request = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${url}/rest/v1/rpc/who?${query}`, {
        headers: { ...headers, connection: 'close' },
      });
      return [response.status, await response.json()];
    };
    const admin = openDatabase({ url: backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    await admin.query({
      text: 'create function who() returns text language sql stable as $$ select current_user $$',
    });
    await admin.close();
    await expect.poll(async () => (await request(`apikey=${keys?.anon}`))[0], { timeout: 20_000 }).toBe(200);
    expect(await request(`apikey=${keys?.anon}`)).toEqual([200, 'anon']);
    expect(await request(`apikey=${keys?.secret}`)).toEqual([200, 'service_role']);
    expect(await request('', { apikey: keys?.serviceRole ?? '' })).toEqual([200, 'service_role']);
    const bearer = { authorization: `Bearer ${keys?.publishable}` };
    expect(await request(`apikey=${keys?.secret}`, bearer)).toEqual([200, 'anon']);
    expect((await request(''))[0]).toBe(401);
    expect((await request('apikey=wrong'))[0]).toBe(401);
  });

  it('requires an API key except on the routes of applications', async () => {
    const { url } = shared.greenroom;
    const request = async (path: string, method = 'GET') => {
      const response = await fetch(url + path, { method, headers: { connection: 'close' } });
      return [response.status, await response.json()];
    };
    expect(await request('/auth/v1/oauth/token', 'POST')).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_client' }),
    ]);
    expect(await request('/auth/v1/oauth/userinfo')).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_token' }),
    ]);
    expect((await request('/auth/v1/oauth/authorize'))[0]).toBe(400);
    expect((await request('/auth/v1/oauth/clients/register', 'POST'))[0]).toBe(403);
    expect((await request('/auth/v1/oauth/authorizations/x'))[0]).toBe(401);
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const described = await request(`/auth/v1/.well-known/${name}`);
      expect(described).toEqual([200, expect.objectContaining({ issuer: `${url}/auth/v1` })]);
      expect(await request(`/.well-known/${name}/auth/v1`)).toEqual(described);
    }
  });
});

describe('an instance below a path', () => {
  const shared = useInstance({ GREENROOM_BASE_URL: '/room/' });

  it('serves storage to the official client, which needs no API key', async () => {
    const { url, backend } = shared.greenroom;
    const { storage } = createClient(`${url}/room`, backend?.apiKeys.secret ?? '', {
      auth: { persistSession: false },
    });
    await storage.createBucket('open', { public: true });
    expect((await storage.from('open').upload('a.txt', 'hello')).error).toBeNull();
    const options = { headers: { connection: 'close' } };
    expect(await (await fetch(`${url}/storage/v1/object/public/open/a.txt`, options)).text()).toBe('hello');
    expect(await (await fetch(`${url}/health`, options)).json()).toMatchObject({ parts: { storage: 'ok' } });
    expect((await fetch(`${url}/storage/v1/bucket`, options)).status).toBe(400);
  });

  it('serves realtime to the official client, and closes its sockets when it stops', async () => {
    const { url, backend, close } = shared.greenroom;
    const admin = openDatabase({ url: backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    await admin.batch([
      { text: 'create table visits (id int primary key)' },
      { text: 'alter publication supabase_realtime add table visits' },
    ]);
    const supabase = createClient(`${url}/room`, backend?.apiKeys.publishable ?? '');
    const received: unknown[] = [];
    const channel = supabase.channel('visits', { config: { broadcast: { self: true } } });
    await new Promise<void>((resolve) => {
      channel
        .on('system', {}, ({ message }) => message === 'Subscribed to PostgreSQL' && resolve())
        .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'visits' }, (change) =>
          received.push(change.new),
        )
        .on('broadcast', { event: 'e' }, ({ payload }) => received.push(payload))
        .subscribe();
    });
    await admin.query({ text: 'insert into visits values (7)' });
    await expect.poll(() => received, { interval: 5 }).toEqual([{ id: 7 }]);
    await channel.httpSend('e', { n: 1 });
    await expect.poll(() => received, { interval: 5 }).toEqual([{ id: 7 }, { n: 1 }]);
    await admin.close();

    const request = (path: string) => fetch(url + path, { headers: { connection: 'close' } });
    const { parts } = (await (await request('/health')).json()) as { parts: Record<string, string> };
    expect(parts.realtime).toBe('ok');
    expect(await (await request('/metrics')).text()).toContain('greenroom_realtime_channels 1');
    const raw = new WebSocket(
      `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${backend?.apiKeys.anon}&vsn=2.0.0`,
    );
    await once(raw, 'open');
    const closed = once(raw, 'close') as Promise<CloseEvent[]>;
    await Promise.all([close(), supabase.removeAllChannels(), supabase.realtime.disconnect()]);
    const [event] = await closed;
    expect([event?.code, event?.reason]).toEqual([1012, 'Realtime is restarting, please standby']);
    await expectAllClosed(shared.folder);
  });
});

describe('close', () => {
  it('does not wait for a PostgreSQL that no longer responds, and the next start has all acknowledged writes', async () => {
    const silent = await startGreenroom({ config: await readConfig(), pages: 'none' });
    const { databaseUrl = '' } = silent.backend ?? {};
    const owner = openDatabase({ url: databaseUrl, max: 1, applicationName: 'test' });
    await owner.query({ text: 'create table acknowledged as select 1 as value' });
    await owner.close();
    const pids = await processesIn(join(folder, 'postgres'));
    expect(pids.length).toBeGreaterThan(5);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const headers = { apikey: silent.backend?.apiKeys.serviceRole ?? '' };
    const unanswered = fetch(`${silent.url}/auth/v1/admin/users`, { headers }).catch(() => undefined);
    await silent.close();
    await unanswered;
    // The system removes killed processes with a delay.
    await expect.poll(() => processesIn(join(folder, 'postgres'))).toEqual([]);

    const later = await startGreenroom({ config: await readConfig(), pages: 'none' });
    const reader = openDatabase({ url: later.backend?.databaseUrl ?? '', max: 1, applicationName: 'test' });
    expect(await reader.query({ text: 'select value from acknowledged' })).toEqual([{ value: 1 }]);
    await reader.close();
    await later.close();
    await expectAllClosed();
  });
});

describe('openBackend', () => {
  it('closes all parts even if one of them fails to close', async () => {
    const backend = await openBackend({
      config: await readConfig(),
      log: createLogger('silent'),
      onProgress: () => {},
    });
    await backend.admin.close();
    await expect(backend.close()).rejects.toThrow('Called end on pool more than once');
    await expectAllClosed();
  });
});
