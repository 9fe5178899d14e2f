import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PoolTimeoutError } from './index.ts';
import { isConnectError, openPool } from './pool.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('reports a timeout for a free connection differently from an unreachable server', async () => {
  const options = { url: database.url, max: 1, applicationName: 'pool' };
  const busy = openPool({ ...options, connectionTimeoutMs: 500 }, pg.Client);
  await busy.use(async () => {
    await expect(busy.use(async () => 'never')).rejects.toThrow(PoolTimeoutError);
  });
  expect(await busy.use(async () => 'now')).toBe('now');
  await busy.close();
  const unreachable = openPool({ ...options, url: 'postgres://missing:x@127.0.0.1:1/none' }, pg.Client);
  const refused = await unreachable.use(async () => 'never').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  expect(refused).not.toBeInstanceOf(PoolTimeoutError);
  await unreachable.close();
});

it('is closed only when the server has ended its connections', async () => {
  const pool = openPool({ url: database.url, max: 1, applicationName: 'pool' }, pg.Client);
  const { rows } = await pool.use((client) => client.query('select pg_backend_pid() as pid'));
  let isClosed = false;
  process.kill(rows[0].pid, 'SIGSTOP');
  const closed = pool.close().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  const wasClosed = isClosed;
  process.kill(rows[0].pid, 'SIGCONT');
  await closed;
  expect(wasClosed).toBe(false);
});

it('reports a lost idle connection, but not after it was closed', async () => {
  const reported: string[] = [];
  const options = { url: database.url, max: 1, applicationName: 'lost pool' };
  const pool = openPool({ ...options, onIdleError: ({ message }) => reported.push(message) }, pg.Client);
  const clientOf = () => pool.use(async (client) => client);
  const lose = async (client: pg.Client) => {
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    const text = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost pool'`;
    await database.admin.query({ text });
    await ended;
  };
  await lose(await clientOf());
  expect(reported).toEqual(['terminating connection due to administrator command']);
  const last = await clientOf();
  const closed = pool.close();
  last.emit('error', new Error('lost while it is closed'));
  await closed;
  expect(reported).toHaveLength(1);
});

it('closes a connection that is returned in a transaction', async () => {
  const pool = openPool({ url: database.url, max: 1, applicationName: 'pool' }, pg.Client);
  const pid = (client: pg.Client) => client.query('select pg_backend_pid()').then(({ rows }) => rows[0]);
  const first = await pool.use(pid);
  expect(await pool.use(pid)).toEqual(first);
  await pool.use((client) => client.query('begin'));
  expect(await pool.use(pid)).not.toEqual(first);
  await pool.close();
});

it('replaces a connection that is lost while its holder runs no query', async () => {
  const pool = openPool({ url: database.url, max: 1, applicationName: 'pool' }, pg.Client);
  const pid = (client: pg.Client) =>
    client.query('select pg_backend_pid() as pid').then(({ rows }) => rows[0].pid);
  const first = await pool.use(async (client) => {
    const own = await pid(client);
    // Not `once` of node:events, which rejects with the error of the connection.
    const lost = new Promise<void>((resolve) => client.once('end', resolve));
    await database.admin.query({ text: 'select pg_terminate_backend($1)', values: [own] });
    await lost;
    return own;
  });
  expect(await pool.use(pid)).not.toBe(first);
  await pool.close();
});

it('replaces a connection after its maximum lifetime, and closes an unused one', async () => {
  const options = { url: database.url, max: 1, applicationName: 'pool', idleTimeoutMs: 0 };
  const pid = (client: pg.Client) =>
    client.query('select pg_backend_pid() as pid').then(({ rows }) => rows[0].pid);
  const exists = async (first: number) =>
    (await database.admin.query({ text: 'select from pg_stat_activity where pid = $1', values: [first] }))
      .length;
  for (const limit of [{ maxLifetimeMs: 200 }, { idleTimeoutMs: 200 }]) {
    const pool = openPool({ ...options, ...limit }, pg.Client);
    const first = await pool.use(pid);
    await expect.poll(() => exists(first), { timeout: 10_000 }).toBe(0);
    expect(await pool.use(pid)).not.toBe(first);
    await pool.close();
  }
});

it('keeps an old connection while it is used', async () => {
  const options = { url: database.url, max: 1, applicationName: 'pool', maxLifetimeMs: 1 };
  const pool = openPool(options, pg.Client);
  const result = await pool.use(async (client) => {
    await client.query('select pg_sleep(0.1)');
    return client.query("select 'here' as here");
  });
  expect(result.rows).toEqual([{ here: 'here' }]);
  await pool.close();
});

it('reports connect errors differently from errors of statements', async () => {
  const failed = (url: string) => {
    const pool = openPool({ url, max: 1, applicationName: 'pool' }, pg.Client);
    return pool
      .use((client) => client.query('select 1 / 0'))
      .catch((error: unknown) => error)
      .finally(() => pool.close());
  };
  const unreachable = new URL(database.url);
  unreachable.pathname = '/no_such_database';
  const refused = await failed(unreachable.href);
  expect([refused, isConnectError(refused)]).toMatchObject([{ code: '3D000' }, true]);
  const broken = await failed(database.url);
  expect([broken, isConnectError(broken)]).toMatchObject([{ code: '22012' }, false]);
  expect(isConnectError('text')).toBe(false);
});

describe('a pool with a minimum', () => {
  const connected = async (name: string) =>
    database.admin.query<{ pid: number }>({
      text: 'select pid from pg_stat_activity where application_name = $1 order by pid',
      values: [name],
    });

  it('opens its minimum in the background, keeps it past the idle timeout, and replaces a lost connection', async () => {
    const options = { url: database.url, max: 4, min: 2, applicationName: 'kept pool', idleTimeoutMs: 50 };
    const pool = openPool({ ...options, onIdleError: () => {} }, pg.Client);
    const poll = { timeout: 15_000 };
    await expect.poll(() => connected('kept pool'), poll).toHaveLength(2);
    const acquireAll = Array.from({ length: 4 }, () =>
      pool.use((client) => client.query('select pg_sleep(0.1)')),
    );
    await Promise.all(acquireAll);
    await expect.poll(() => connected('kept pool'), poll).toHaveLength(2);
    const [first] = await connected('kept pool');
    await database.admin.query({ text: 'select pg_terminate_backend($1)', values: [first?.pid] });
    await expect
      .poll(async () => {
        const pids = (await connected('kept pool')).map(({ pid }) => pid);
        return pids.length === 2 && !pids.includes(first?.pid ?? 0);
      }, poll)
      .toBe(true);
    await pool.close();
    await expect.poll(() => connected('kept pool'), poll).toHaveLength(0);
  }, 60_000);
});
