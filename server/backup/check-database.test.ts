import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, openDatabase, startEmbeddedPostgres } from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDatabase } from './check-database.ts';

let folder: string;
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-checked-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

it('a check names each index that does not fit its table, and leaves nothing in the database', async () => {
  const url = postgres.superuser.localUrl;
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  const run = (text: string) => database.query({ text });
  const sortKey = (result: string) =>
    run(
      `create or replace function public.sort_key(int) returns int language sql immutable return ${result}`,
    );
  await sortKey('$1');
  await run('create table public.notes as select id from generate_series(1, 100) id');
  await run('create index notes_id on public.notes (id)');
  await run('create index notes_sort_key on public.notes (public.sort_key(id))');
  const whole = await checkDatabase(url);
  expect(whole.problems).toEqual([]);
  // The index has the keys of before.
  await sortKey('-$1');
  const { indexes, problems } = await checkDatabase(url);
  expect(indexes).toBe(whole.indexes);
  expect(problems).toEqual([
    expect.stringMatching(/^index (public\.)?notes_sort_key: heap tuple .* lacks matching/),
  ]);
  expect(await run(`select from pg_namespace where nspname = 'greenroom_check'`)).toEqual([]);
  await database.close();
});
