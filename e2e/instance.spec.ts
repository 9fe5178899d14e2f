/** An instance as a process: its lifecycle, data folder and settings. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase, startEmbeddedPostgres } from '@greenroom/postgres';
import { expect, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import {
  newDataFolder,
  removeDataFolder,
  runCli,
  spawnCli,
  startInstance,
  stopLeftovers,
  watchOutput,
} from './support/instance.ts';
import { newPerson, submitCredentials } from './support/person.ts';
import { fillDataFolder } from './support/prepared-folder.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

let folder: string;

test.beforeEach(async () => {
  folder = await newDataFolder();
});
test.afterEach(async () => {
  await stopLeftovers();
  await removeDataFolder(folder);
});

/** Returns the pid of the PostgreSQL server that runs on the folder's cluster. */
async function readPostmasterPid(dataFolder: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8'), 10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function anonClient(url: string, dataFolder: string) {
  const { stdout } = await runCli(['status', '-o', 'json'], dataFolder);
  const { ANON_KEY = '' } = JSON.parse(stdout);
  const client = createClient(url, ANON_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  return { client, anonKey: ANON_KEY as string };
}

/** Sends requests over a single connection. */
function singleConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = async (path: string, headers: Record<string, string>, body = '') => {
    const sent = request(url + path, { agent, method: body ? 'POST' : 'GET', headers });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]);
    return { status: response.statusCode, cookie: cookies.join('; '), text: await readText(response) };
  };
  return { send, close: () => agent.destroy() };
}

test('shows the data of a page to a client that may have one connection only', async () => {
  const site = 'http://app.example';
  // With a public URL, the connection limit also applies to this machine.
  const instance = await startInstance(folder, {
    GREENROOM_PUBLIC_URL: site,
    GREENROOM_MAX_CONNECTIONS_PER_CLIENT: '1',
  });
  const connection = singleConnection(instance.url);
  const { email, password } = newPerson();
  const form = {
    host: 'app.example',
    origin: site,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const signedUp = await connection.send(
    '/login?mode=sign-up',
    form,
    String(new URLSearchParams({ email, password })),
  );
  expect(signedUp.status).toBe(302);
  const home = await connection.send('/', { host: 'app.example', cookie: signedUp.cookie });
  expect(home.status).toBe(200);
  expect(home.text).toContain('No notes yet');
  expect(home.text).toContain('No files yet');
  connection.close();
});

test('prints its URL after the start and stops with its PostgreSQL on SIGTERM', async () => {
  const instance = await startInstance(folder);
  expect(instance.output().trimEnd().split('\n').at(-1)).toBe(`ready ${instance.url}`);
  expect(instance.firstAdminUrl).toMatch(/\/admin\?claim=[\w-]{43}$/);
  expect((await stat(join(folder, 'keys.json'))).mode & 0o777).toBe(0o600);

  const health = await fetch(`${instance.url}/health`);
  expect([health.status, await health.json()]).toEqual([
    200,
    {
      status: 'ok',
      version: '0.1.0',
      schema: expect.objectContaining({ auth: expect.stringMatching(/^\d{4}_/) }),
      parts: {
        ...{ app: 'ok', database: 'ok', disk: 'ok' },
        ...{ auth: 'ok', data: 'ok', jobs: 'ok', realtime: 'ok', storage: 'ok' },
      },
    },
  ]);
  const metrics = await fetch(`${instance.url}/metrics`);
  expect(await metrics.text()).toContain('greenroom_http_request_seconds');
  const proxied = await fetch(`${instance.url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(proxied.status).toBe(403);

  const postmaster = await readPostmasterPid(folder);
  expect(await instance.stop()).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
});

test('dev serves the app from its sources and stops with its PostgreSQL', async ({ page }) => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder, {}, 'dev');
  await page.goto(`${instance.url}/login`);
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  const postmaster = await readPostmasterPid(folder);
  expect(await instance.stop()).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
});

test('stops cleanly if a duplicate signal follows immediately', async () => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder);
  const postmaster = await readPostmasterPid(folder);
  process.kill(instance.pid, 'SIGINT');
  expect(await instance.stop()).toBe(0);
  expect(isAlive(postmaster)).toBe(false);
});

test('ends immediately with its PostgreSQL on a later second signal', async () => {
  await fillDataFolder(folder);
  const { child, waitForLine, exited } = watchOutput(spawnCli(['start'], folder));
  const [, url = ''] = await waitForLine(/^ready (http:\S+)$/);
  const postmaster = await readPostmasterPid(folder);
  // A request whose body never arrives delays the shutdown.
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write('POST /login HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  child.kill('SIGTERM');
  await waitForLine(/^stopping$/);
  const repeatedSignals = setInterval(() => child.kill('SIGTERM'), 100);
  expect(await exited).toBe(130);
  clearInterval(repeatedSignals);
  socket.destroy();
  await expect.poll(() => isAlive(postmaster)).toBe(false);
});

test('ends with its PostgreSQL on a signal during the start', async () => {
  const { child, exited } = watchOutput(spawnCli(['start'], folder));
  const postmaster = () => readPostmasterPid(folder).catch(() => undefined);
  await expect.poll(postmaster, { intervals: [5], timeout: 30_000 }).toBeGreaterThan(0);
  const pid = (await postmaster()) ?? 0;
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  expect(isAlive(pid)).toBe(false);
});

test('stops cleanly after its output pipes are closed', async () => {
  await fillDataFolder(folder);
  const { child, waitForLine, exited } = watchOutput(spawnCli(['start'], folder));
  await waitForLine(/^ready /);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
});

test('stops cleanly although its PostgreSQL no longer responds', async () => {
  const clusterFolder = await newDataFolder();
  const external = await startEmbeddedPostgres({
    directory: join(clusterFolder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'x',
  });
  let isSilent = false;
  const sockets: Socket[] = [];
  const proxy = createServer({ allowHalfOpen: true }, (socket) => {
    const server = connect(external.port, '127.0.0.1');
    sockets.push(socket, server);
    // Writes to a socket that the other side has closed fail; their data is not needed any more.
    for (const end of [socket, server]) end.on('error', () => end.destroy());
    socket.on('data', (chunk) => isSilent || server.write(chunk)).on('end', () => isSilent || server.end());
    server.on('data', (chunk) => socket.write(chunk)).on('end', () => socket.end());
  });
  try {
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const DATABASE_URL = `postgresql://supabase_admin:x@127.0.0.1:${port}/postgres`;
    const instance = await startInstance(folder, { DATABASE_URL });
    expect((await fetch(`${instance.url}/health`)).status).toBe(200);
    isSilent = true;
    expect(await instance.stop()).toBe(0);
  } finally {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await external.stop();
    await removeDataFolder(clusterFolder);
  }
});

test('the first-admin link leads a new user from sign-up to the admin area', async ({ page }) => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder);
  const { stdout } = await runCli(['admin-link'], folder);
  const link = stdout.trim();
  await page.goto(link);
  await expect(page).toHaveURL(new URL('/login?mode=sign-up', link).href);
  const person = newPerson();
  await submitCredentials(page, person, 'Create account');
  await expect(page).toHaveURL(link);
  await expect(page.getByText(`This link makes ${person.email} an administrator`)).toBeVisible();
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  await instance.stop();
});

test('prints the first-admin link at the first start only and keeps its keys', async () => {
  const first = await startInstance(folder);
  const before = await readFile(join(folder, 'keys.json'), 'utf8');
  await first.stop();
  const second = await startInstance(folder);
  expect(second.firstAdminUrl).toBeUndefined();
  expect(await readFile(join(folder, 'keys.json'), 'utf8')).toBe(before);
  await second.stop();
});

test('rejects a second start on the same folder and names the running process', async () => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder);
  for (const PORT of ['0', new URL(instance.url).port]) {
    const second = await runCli(['start'], folder, { PORT });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`in use by the process ${instance.pid} at ${instance.url}`);
  }
  expect((await fetch(`${instance.url}/health`)).status).toBe(200);
  await instance.stop();
});

test('rejects a port that is in use', async () => {
  const { code, stderr } = await runCli(['start'], folder, { PORT: new URL(baseUrl()).port });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /is already in use on 127\.0\.0\.1 by a Greenroom instance.*\. Set PORT to another port/,
  );
});

test('rejects invalid settings with the variable, value and allowed values', async () => {
  const { code, stderr } = await runCli(['start'], folder, {
    PORT: 'eighty',
    GREENROOM_JWT_SECRET: 'short-secret',
    GREENROOM_TRUST_PROXY: 'abc',
  });
  expect(code).toBe(1);
  expect(stderr).toContain(
    'GREENROOM_TRUST_PROXY="abc" is not allowed. Allowed: IP addresses or CIDR ranges',
  );
  expect(stderr).toContain('PORT="eighty" is not allowed. Allowed: a whole number from 0 to 65535');
  expect(stderr).toContain('GREENROOM_JWT_SECRET=(hidden) is not allowed. Allowed: at least 32 characters');
  expect(stderr).not.toContain('short-secret');
});

test('status prints URL and keys in both formats after the instance has stopped', async () => {
  const secret = 'a-secret-of-our-own-with-32-characters';
  const instance = await startInstance(folder, { GREENROOM_JWT_SECRET: secret });
  await instance.stop();
  const json = JSON.parse(
    (await runCli(['status', '-o', 'json'], folder, { GREENROOM_JWT_SECRET: secret })).stdout,
  );
  expect(json).toMatchObject({ API_URL: instance.url, JWT_SECRET: secret });
  expect(json.PUBLISHABLE_KEY).toMatch(/^sb_publishable_/);
  expect(json.SECRET_KEY).toMatch(/^sb_secret_/);
  expect(json.DB_URL).toMatch(/^postgresql:\/\/postgres:.+@127\.0\.0\.1:\d+\/postgres$/);
  const env = (await runCli(['status', '-o', 'env'], folder, { GREENROOM_JWT_SECRET: secret })).stdout;
  expect(env.split('\n')).toContain(`ANON_KEY="${json.ANON_KEY}"`);
  const unknownFolder = await runCli(['status'], join(folder, 'elsewhere'));
  expect([unknownFolder.code, unknownFolder.stderr]).toEqual([
    1,
    expect.stringContaining('no instance was started'),
  ]);
});

test('status still prints the last instance after a failed start', async () => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder);
  await instance.stop();
  const before = (await runCli(['status'], folder)).stdout;
  expect(before).toContain(instance.url);
  const failed = await runCli(['start'], folder, { GREENROOM_DB_PORT: new URL(baseUrl()).port });
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining('is already in use on 127.0.0.1'),
  ]);
  const { code, stdout } = await runCli(['status'], folder);
  expect([code, stdout]).toEqual([0, before]);
});

test('SIGKILL during sign-ups loses no acknowledged sign-up', async () => {
  const first = await startInstance(folder);
  const { anonKey } = await anonClient(first.url, folder);
  const acknowledged: string[] = [];
  let isStopped = false;
  const worker = async (number: number) => {
    for (let i = 0; !isStopped; i++) {
      const email = `crash-${number}-${i}@example.org`;
      const response = await fetch(`${first.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { apikey: anonKey, 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'correct horse' }),
      }).catch(() => undefined);
      if (response?.status === 200) acknowledged.push(email);
    }
  };
  const workers = [1, 2, 3, 4].map(worker);
  while (acknowledged.length < 20) await sleep(10);
  await first.kill();
  isStopped = true;
  await Promise.all(workers);

  const second = await startInstance(folder);
  const { client } = await anonClient(second.url, folder);
  for (const email of acknowledged) {
    const { error } = await client.auth.signInWithPassword({ email, password: 'correct horse' });
    expect([email, error]).toEqual([email, null]);
  }
  await second.stop();
});

test('recovers after its PostgreSQL is killed', async () => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder);
  const { client } = await anonClient(instance.url, folder);
  const person = { email: 'survivor@example.org', password: 'correct horse' };
  expect((await client.auth.signUp(person)).error).toBeNull();
  process.kill(await readPostmasterPid(folder), 'SIGKILL');
  const signIn = async () => (await client.auth.signInWithPassword(person)).error;
  await expect.poll(signIn, { timeout: 30_000 }).toBeNull();
  // The change feed of the database reconnects a little later.
  const health = async () => (await fetch(`${instance.url}/health`)).status;
  await expect.poll(health, { timeout: 30_000 }).toBe(200);
  await instance.stop();
  expect(instance.output()).toMatch(/"reason":"[^"]+","msg":"connection lost"/);
  expect(instance.output()).not.toContain('secretKey');
});

test('runs on an external PostgreSQL without superuser rights and names missing rights', async () => {
  const clusterFolder = await newDataFolder();
  const external = await startEmbeddedPostgres({
    directory: join(clusterFolder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'x',
  });
  try {
    const admin = openDatabase({ url: external.superuser.url, max: 1, applicationName: 'test' });
    await admin.query({ text: "create role owner login password 'o' createrole createdb bypassrls" });
    await admin.query({ text: "create role guest login password 'g'" });
    await admin.query({ text: 'create database product owner owner' });
    await admin.close();
    const url = (role: string, password: string) =>
      `postgresql://${role}:${password}@127.0.0.1:${external.port}/product`;

    const refused = await runCli(['start'], folder, { DATABASE_URL: url('guest', 'g') });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('role "guest" cannot be used: it may not create roles');
    const wrong = await runCli(['start'], folder, { DATABASE_URL: url('owner', 'wrong') });
    expect(wrong.stderr).toContain('DATABASE_URL: cannot connect: password authentication failed');

    for (const start of ['first', 'second']) {
      const instance = await startInstance(folder, { DATABASE_URL: url('owner', 'o') });
      const { client } = await anonClient(instance.url, folder);
      const { error } = await client.auth.signUp({
        email: `${start}@example.org`,
        password: 'correct horse',
      });
      expect(error).toBeNull();
      await instance.stop();
    }
  } finally {
    await external.stop();
    await removeDataFolder(clusterFolder);
  }
});

test('serves only the app on a hosted backend', async ({ page }) => {
  const { ANON_KEY = '' } = await readStatus();
  const instance = await startInstance(folder, { SUPABASE_URL: baseUrl(), SUPABASE_ANON_KEY: ANON_KEY });
  expect((await fetch(`${instance.url}/auth/v1/health`)).status).toBe(404);
  await page.goto(`${instance.url}/login?mode=sign-up`);
  await page.getByLabel('Email address').fill(`hosted-${Date.now()}@example.org`);
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).toHaveURL(`${instance.url}/`);
  await instance.stop();
});

test('refreshes an expiring session before rendering and sends the new cookies with the page', async () => {
  await fillDataFolder(folder);
  const instance = await startInstance(folder, { GOTRUE_JWT_EXP: '30' });
  const signedUp = await fetch(`${instance.url}/login?mode=sign-up`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: instance.url, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=short@example.org&password=correct+horse',
  });
  const cookiesOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';', 1)[0] ?? '')
      .filter((cookie) => /^sb-127-auth-token(\.\d)?=./.test(cookie));
  const before = cookiesOf(signedUp);
  expect(before.length).toBeGreaterThan(0);
  const page = await fetch(instance.url, { headers: { accept: 'text/html', cookie: before.join('; ') } });
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('short@example.org');
  const after = cookiesOf(page);
  expect(after.length).toBeGreaterThan(0);
  expect(after).not.toEqual(before);
  expect(page.headers.get('cache-control')).toBe('private, no-store');
  await instance.stop();
});

test('listens on the loopback interface only', async () => {
  const { port } = new URL(baseUrl());
  const listening = execFileSync('cat', ['/proc/net/tcp', '/proc/net/tcp6'], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      (fields) =>
        fields[3] === '0A' &&
        fields[1]?.endsWith(`:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`),
    );
  expect(listening.map((fields) => fields[1]?.split(':')[0])).toEqual(['0100007F']);
});
