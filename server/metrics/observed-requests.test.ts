/** The log lines and metrics of requests to a whole instance. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApiKeys, type KeyFile } from '@greenroom/keys';
import { freePort } from '@greenroom/testing';
import { runPromtool, WITHOUT_PROMTOOL } from '@greenroom/testing/promtool';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';

const SCRIPT = new URL('../testing/instance-process.ts', import.meta.url).pathname;
const START_MS = 60_000;
/** The burst of the limit of `/verify`. */
const BURST = 30;

let folder: string;
let url: string;
let keys: Awaited<ReturnType<typeof createApiKeys>>;
let stop: () => Promise<unknown>;
/** Lines of the log. */
const lines: Record<string, unknown>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-observed-'));
  await chmod(folder, 0o711);
  const child = spawn(process.execPath, [SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: String(await freePort()),
      GREENROOM_DATA_DIR: folder,
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
      LOG_LEVEL: 'info',
    },
  });
  createInterface(child.stderr).on('line', (line) => lines.push(JSON.parse(line)));
  stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  for await (const line of createInterface(child.stdout)) {
    url = /^ready (\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  keys = await createApiKeys(JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as KeyFile);
}, START_MS);
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true, force: true });
});

const metrics = async () => (await fetch(`${url}/metrics`)).text();

/** Sends a request as the visitor of an address, for which limits apply. */
function visit(path: string, body?: object, address = '203.0.113.7') {
  const headers = { apikey: keys.secret, 'sb-forwarded-for': address, 'content-type': 'application/json' };
  const options = body && { method: 'POST', body: JSON.stringify(body) };
  return fetch(url + path, { headers, redirect: 'manual', ...options });
}

/** Returns the log line of the newest request of a client to a path. */
async function lineOf(path: string, client = '127.0.0.1'): Promise<Record<string, unknown> | undefined> {
  const find = () => lines.findLast((line) => line.path === path && line.client === client);
  await expect.poll(find, { interval: 5 }).toBeDefined();
  return find();
}

it.skipIf(WITHOUT_PROMTOOL !== undefined)('names metrics and units as Prometheus recommends', async () => {
  // The names of the other metrics are those of the library.
  const own = (await metrics()).split('\n').filter((line) => line.includes('greenroom_'));
  expect(runPromtool(['check', 'metrics'], `${own.join('\n')}\n`)).toEqual({ code: 0, output: '' });
});

it('labels requests with the template of their route, not with their paths', async () => {
  await visit('/auth/v1/admin/users/6b1a8b5e-0000-4000-8000-000000000001');
  await metrics();
  await visit('/auth/v1/token?grant_type=refresh_token', {});
  await visit('/auth/v1/token?grant_type=invented', {});
  for (const name of ['one', 'two', 'three']) {
    await visit(`/rest/v1/${name}`);
    await visit(`/rest/v1/rpc/${name}`);
    await visit(`/${name}`);
    await visit(`/functions/v1/${name}`);
  }
  const operations = Array.from((await metrics()).matchAll(/operation="([^"]*)"/g), ([, name]) => name);
  expect(new Set(operations)).toEqual(
    new Set([
      '/auth/v1/admin/users/:userId',
      '/auth/v1/token?grant_type=refresh_token',
      '/auth/v1/token',
      '/rest/v1/:relation',
      '/rest/v1/rpc/:function',
      '/functions/v1/*',
      '/metrics',
      'none',
    ]),
  );
});

it('counts failed sign-ins by method and reason, also those that end in a redirect', async () => {
  const wrong = { email: 'ada@example.org', password: 'wrong' };
  expect((await visit('/auth/v1/token?grant_type=password', wrong)).status).toBe(400);
  expect((await visit('/auth/v1/verify?type=signup&token=unknown')).status).toBe(303);
  const text = await metrics();
  expect(text).toContain(
    'greenroom_auth_sign_in_failures_total{method="password",reason="invalid_credentials"} 1\n',
  );
  expect(text).toContain('greenroom_auth_sign_in_failures_total{method="code",reason="otp_expired"} 1\n');
  expect(text).not.toContain('reason="refresh_token_not_found"');
});

it('counts 429 responses by the limit that was exceeded', async () => {
  const statuses: number[] = [];
  for (let count = 0; count <= BURST; count += 1)
    statuses.push((await visit('/auth/v1/verify', { type: 'x' }, '203.0.113.8')).status);
  expect(statuses.filter((status) => status === 429)).toEqual([429]);
  expect(await metrics()).toContain(
    'greenroom_http_requests_limited_total{service="auth",limit="verify"} 1\n',
  );
});

it('logs the address, the user and the error code of a request, and neither its query nor its keys', async () => {
  const client = createClient(url, keys.publishable, { auth: { persistSession: false } });
  const { data } = await client.auth.signUp({ email: 'ada@example.org', password: 'correct horse' });
  await client.auth.getUser();
  await client.from('missing').select();
  await client.storage.from('missing').list();
  await client.channel('room').httpSend('e', {});
  const user = { userId: data.user?.id, client: '127.0.0.1' };
  expect(await lineOf('/auth/v1/user')).toMatchObject({ ...user, status: 200 });
  expect(await lineOf('/rest/v1/missing')).toMatchObject({ ...user, status: 404, code: 'PGRST205' });
  expect(await lineOf('/storage/v1/object/list/missing')).toMatchObject(user);
  expect(await lineOf('/realtime/v1/api/broadcast/room/events/e')).toMatchObject(user);
  await visit('/auth/v1/verify?type=signup&token=secret-of-a-link', undefined, '203.0.113.9');
  expect(await lineOf('/auth/v1/verify', '203.0.113.9')).toMatchObject({ status: 303, code: 'otp_expired' });
  const text = JSON.stringify(lines);
  for (const secret of ['secret-of-a-link', keys.secret, keys.publishable, data.session?.access_token])
    expect(text).not.toContain(secret);
});
