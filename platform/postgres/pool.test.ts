import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PoolTimeoutError } from './index.ts';
import { openPool } from './pool.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('tells that no connection has become free from that there is no server', async () => {
  const options = { url: database.url, max: 1, applicationName: 'pool' };
  const busy = openPool({ ...options, connectionTimeoutMs: 500 }, pg.Client);
  await busy.use(async () => {
    await expect(busy.use(async () => 'never')).rejects.toThrow(PoolTimeoutError);
  });
  expect(await busy.use(async () => 'now')).toBe('now');
  await busy.close();
  const nowhere = openPool({ ...options, url: 'postgres://nobody:x@127.0.0.1:1/none' }, pg.Client);
  const refused = await nowhere.use(async () => 'never').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  expect(refused).not.toBeInstanceOf(PoolTimeoutError);
  await nowhere.close();
});

it('gives a connection in a transaction to nobody', async () => {
  const pool = openPool({ url: database.url, max: 1, applicationName: 'pool' }, pg.Client);
  const pid = (client: pg.Client) => client.query('select pg_backend_pid()').then(({ rows }) => rows[0]);
  const first = await pool.use(pid);
  expect(await pool.use(pid)).toEqual(first);
  await pool.use((client) => client.query('begin'));
  expect(await pool.use(pid)).not.toEqual(first);
  await pool.close();
});
