/** Uploads of a service_role to which policies apply. Roles belong to a whole server, so this one has no other tests. */
import { createTestDatabaseOn, recordFlushes, type TestDatabase } from '@greenroom/testing';
import { type MigratedServer, startMigratedServer } from '@greenroom/testing/migrated-server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { StorageServer } from '../testing/storage-server.ts';

const flushes: string[] = [];
let postgres: MigratedServer;
let database: TestDatabase;
let server: StorageServer;
beforeAll(async () => {
  postgres = await startMigratedServer();
  database = await createTestDatabaseOn(postgres.url);
  await database.run(`alter role service_role nobypassrls;
    insert into storage.buckets (id, name) values ('b', 'b');
    create policy only_b on storage.objects to service_role using (true) with check (name = 'allowed')`);
  server = await StorageServer.open({ database });
  await server.instance.waitForStartJobs();
  const { context } = server.instance;
  context.database = recordFlushes(context.database, flushes);
});
afterAll(async () => {
  await server.close();
  await database.drop();
  await postgres.stop();
});

it.each([
  ['refused', 400, ['batch', 'writes and rollback', 'query']],
  ['allowed', 200, ['batch', 'writes and rollback', 'writes and commit']],
])('an upload to the key %s gets %i', async (key, status, expected) => {
  flushes.length = 0;
  const options = { headers: { 'content-type': 'text/plain' }, body: 'x' };
  const response = await server.request(`POST /object/b/${key}`, options);
  expect([response.status, flushes]).toEqual([status, expected]);
});
