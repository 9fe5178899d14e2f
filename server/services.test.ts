import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase, freePort, TEST_JWT_SECRET } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enabledServices, servicesNamed } from './services.ts';
import { loadConfig } from './settings.ts';
import { type Greenroom, startGreenroom } from './start.ts';

describe('servicesNamed', () => {
  it('returns services in the order in which they are opened', () => {
    expect(servicesNamed(['storage', 'auth']).map(({ name }) => name)).toEqual(['auth', 'storage']);
  });

  it.each([['function'], [''], ['auth,']])('rejects %j', (text) => {
    expect(() => servicesNamed(text.split(','))).toThrow(
      'Use auth, data, storage, realtime, functions, jobs, meta, or omit it',
    );
  });
});

describe('enabledServices', () => {
  it.each([
    [{}, ['auth', 'data', 'storage', 'realtime', 'functions', 'jobs', 'meta']],
    [
      { GREENROOM_AUTH_ENABLED: 'false', GREENROOM_STORAGE_ENABLED: 'false' },
      ['data', 'realtime', 'functions', 'jobs', 'meta'],
    ],
    [
      {
        GREENROOM_DATA_ENABLED: 'false',
        GREENROOM_REALTIME_ENABLED: 'false',
        GREENROOM_FUNCTIONS_ENABLED: 'false',
      },
      ['auth', 'storage', 'jobs', 'meta'],
    ],
    [{ GREENROOM_JOBS_ENABLED: 'false' }, ['auth', 'data', 'storage', 'realtime', 'functions', 'meta']],
  ])('returns for %j the services %j', (source, names) => {
    expect(enabledServices(loadConfig(source)).map(({ name }) => name)).toEqual(names);
  });
});

describe('an instance with two services', () => {
  let folder: string;
  let instance: Greenroom;
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-services-'));
    database = await createEmptyDatabase();
    const config = loadConfig({
      PORT: String(await freePort()),
      DATABASE_URL: database.url,
      // Roles and their passwords belong to the whole server, which other tests use.
      GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
      GREENROOM_DATA_DIR: folder,
      LOG_LEVEL: 'silent',
    });
    instance = await startGreenroom({ config, pages: 'none', services: servicesNamed(['auth', 'data']) });
  });
  afterAll(async () => {
    await instance.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const status = async (path: string) => {
    const headers = { apikey: instance.backend?.apiKeys.anon ?? '', connection: 'close' };
    return (await fetch(instance.url + path, { headers })).status;
  };

  it('serves the selected services', async () => {
    expect([await status('/auth/v1/settings'), await status('/rest/v1/')]).toEqual([200, 200]);
  });

  it('has no routes of the other services', async () => {
    expect([await status('/storage/v1/status'), await status('/realtime/v1/api/ping')]).toEqual([404, 404]);
  });

  it('checks the health of the selected services, on a database that is migrated for all', async () => {
    const health = await (await fetch(`${instance.url}/health`, { headers: { connection: 'close' } })).json();
    expect(Object.keys(health.parts).sort()).toEqual(['app', 'auth', 'data', 'database', 'disk']);
    expect(Object.keys(health.schema)).toContain('storage');
  });
});

it('an instance has no routes of services that its settings disable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-services-'));
  const database = await createEmptyDatabase();
  const config = loadConfig({
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    GREENROOM_JWT_SECRET: TEST_JWT_SECRET,
    GREENROOM_DATA_DIR: folder,
    GREENROOM_DATA_ENABLED: 'false',
    GREENROOM_STORAGE_ENABLED: 'false',
    GREENROOM_REALTIME_ENABLED: 'false',
    GREENROOM_FUNCTIONS_ENABLED: 'false',
    LOG_LEVEL: 'silent',
  });
  const instance = await startGreenroom({ config, pages: 'none' });
  try {
    const headers = { apikey: instance.backend?.apiKeys.anon ?? '', connection: 'close' };
    const paths = [
      '/auth/v1/settings',
      '/rest/v1/',
      '/storage/v1/status',
      '/realtime/v1/api/ping',
      '/functions/v1/x',
    ];
    const statuses = paths.map(async (path) => (await fetch(instance.url + path, { headers })).status);
    expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404, 404]);
  } finally {
    await instance.close();
    await database.drop();
    await rm(folder, { recursive: true });
  }
});
