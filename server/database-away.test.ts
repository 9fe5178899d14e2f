/** Responses to clients and load balancers while PostgreSQL is unreachable, and afterwards. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';
import { demoProject } from './testing/demo.ts';

const POLL = { timeout: 30_000, interval: 50 };
const ACCOUNT = { email: 'ada@example.org', password: 'correct horse' };

let folder: string;
let port: number;
let postgres: EmbeddedPostgres;
let greenroom: Greenroom;
let client: SupabaseClient;

const startPostgres = () =>
  startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port,
    portIsFixed: true,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
const request = (path: string, init: RequestInit = {}) =>
  fetch(greenroom.url + path, {
    ...init,
    headers: { apikey: greenroom.backend?.apiKeys.publishable ?? '', connection: 'close' },
  });
const partsOf = async () =>
  ((await (await request('/health')).json()) as { parts: Record<string, string> }).parts;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-away-'));
  await chmod(folder, 0o711);
  port = await freePort();
  postgres = await startPostgres();
  const config = loadConfig({
    PORT: String(await freePort()),
    GREENROOM_DATA_DIR: join(folder, 'data'),
    DATABASE_URL: postgres.superuser.url,
    LOG_LEVEL: 'silent',
  });
  greenroom = await startGreenroom({ config, project: await demoProject(), pages: 'none' });
  client = createClient(greenroom.url, greenroom.backend?.apiKeys.publishable ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  expect((await client.auth.signUp(ACCOUNT)).error).toBeNull();
}, 120_000);
afterAll(async () => {
  await greenroom.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

it('responds with 503 while the database is unreachable, and succeeds afterwards', async () => {
  const { data: before } = await client.auth.getSession();
  await postgres.stop();

  const signIn = await request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    body: JSON.stringify(ACCOUNT),
  });
  expect([signIn.status, signIn.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await signIn.json()).toMatchObject({ error_code: 'unexpected_failure', code: 503 });
  const { error } = await client.auth.getUser();
  expect([error?.name, error?.status]).toEqual(['AuthRetryableFetchError', 503]);
  expect((await client.auth.getSession()).data.session?.access_token).toBe(before.session?.access_token);
  expect((await client.from('notes').select()).status).toBe(503);
  const { error: storageError } = await client.storage.from('b').list();
  expect(storageError).toMatchObject({ status: 544, message: 'The connection to the database timed out' });

  const health = await request('/health');
  expect(health.status).toBe(503);
  expect(await health.json()).toMatchObject({
    status: 'unavailable',
    parts: {
      app: 'ok',
      disk: 'ok',
      database: 'unavailable',
      auth: 'unavailable',
      data: 'unavailable',
      realtime: 'unavailable',
      storage: 'unavailable',
    },
  });
  expect((await request('/health/live')).status).toBe(200);

  postgres = await startPostgres();
  await expect.poll(() => request('/health').then(({ status }) => status), POLL).toBe(200);
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await client.auth.signInWithPassword(ACCOUNT)).error).toBeNull();
}, 100_000);

it('reports a missing data folder', async () => {
  expect(await partsOf()).toMatchObject({ disk: 'ok', database: 'ok' });
  await rm(join(folder, 'data'), { recursive: true });
  expect(await partsOf()).toMatchObject({ disk: 'unavailable', database: 'ok' });
  expect((await request('/health/live')).status).toBe(200);
});
