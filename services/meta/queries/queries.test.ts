/** Saved queries and the history of the SQL page, through the routes of the service. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MetaServer } from '../testing/meta-server.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';
let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open();
});
afterAll(() => meta.close());

type Row = Record<string, unknown> & { id: string };

async function call(
  path: string,
  method?: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await meta.call(path, { ...(method && { method }), ...(body !== undefined && { body }) });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const list = async (path: string) => (await call(path)).body as Row[];

async function save(fields: Record<string, unknown> = {}): Promise<Row> {
  const query = { actor_id: ADA, actor_email: 'ada@example.org', name: 'Notes', sql: 'select 1', ...fields };
  const { status, body } = await call('/queries', 'POST', query);
  expect(status).toBe(201);
  return body as Row;
}

const change = (id: string, fields: Record<string, unknown>) =>
  call(`/queries/${id}`, 'PATCH', { actor_id: ADA, name: 'Notes', sql: 'select 2', ...fields });

describe('saved queries', () => {
  it('lists private queries for their owner only, and shared ones for all', async () => {
    const secret = await save({ name: 'private' });
    const shared = await save({ name: 'shared', is_shared: true });
    const idsOf = async (actor: string) => (await list(`/queries?actor=${actor}`)).map(({ id }) => id);
    expect(await idsOf(ADA)).toEqual(expect.arrayContaining([secret.id, shared.id]));
    expect(await idsOf(BOB)).toEqual([shared.id]);
  });

  it('changes a query that has the version of the change, and returns the current one otherwise', async () => {
    const { id } = await save({ is_shared: true });
    const first = await change(id, {
      version: 1,
      actor_id: BOB,
      actor_email: 'bob@example.org',
      is_shared: true,
    });
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({ version: 2, sql: 'select 2', updated_by: 'bob@example.org' }),
    ]);
    const second = await change(id, { version: 1, sql: 'select 3' });
    expect(second).toEqual({
      status: 409,
      body: expect.objectContaining({
        code: 'query_changed',
        current: expect.objectContaining({ version: 2, sql: 'select 2' }),
      }),
    });
    expect((await call(`/queries/${id}?actor=${ADA}&version=1`, 'DELETE')).status).toBe(409);
    expect((await call(`/queries/${id}?actor=${ADA}&version=2`, 'DELETE')).status).toBe(204);
  });

  it('keeps a shared query shared when another administrator changes it', async () => {
    const { id } = await save({ is_shared: true });
    expect((await change(id, { version: 1, actor_id: BOB, is_shared: false })).body).toMatchObject({
      is_shared: true,
    });
    expect((await change(id, { version: 2, is_shared: false })).body).toMatchObject({ is_shared: false });
  });

  it('refuses changes of private queries of other administrators', async () => {
    const { id } = await save();
    expect((await change(id, { version: 1, actor_id: BOB })).body).toMatchObject({ code: 'query_not_found' });
    const deleted = await call(`/queries/${id}?actor=${BOB}&version=1`, 'DELETE');
    expect([deleted.status, deleted.body]).toEqual([
      404,
      expect.objectContaining({ code: 'query_not_found' }),
    ]);
  });

  it.each([
    ['no name', { name: '' }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['a zero byte', { sql: 'select \0' }],
    ['no administrator', { actor_id: 'ada' }],
  ])('rejects %s', async (_, fields) => {
    const query = { actor_id: ADA, name: 'Notes', sql: 'select 1', ...fields };
    expect((await call('/queries', 'POST', query)).body).toMatchObject({ code: 'invalid_request' });
  });
});

describe('the history', () => {
  const add = async (fields: Record<string, unknown> = {}) => {
    const id = randomUUID();
    const run = { id, actor_id: BOB, sql: 'select 1', ...fields };
    expect((await call('/history', 'POST', run)).status).toBe(204);
    return id;
  };

  it('returns runs with their outcomes, newest first, by a part of the SQL, and the result of one run', async () => {
    const first = await add({
      sql: 'select Apples',
      role: 'anon',
      claims: { role: 'anon' },
      read_only: true,
    });
    const second = await add({ sql: 'select pears' });
    await call(`/history/${first}`, 'PATCH', {
      outcome: 'done',
      duration_ms: 5,
      row_count: 2,
      result: '{"a":1}',
    });
    expect(await list(`/history?actor=${BOB}`)).toEqual([
      expect.objectContaining({ id: second, outcome: 'started', has_result: false }),
      expect.objectContaining({
        id: first,
        outcome: 'done',
        duration_ms: 5,
        row_count: '2',
        role: 'anon',
        claims: { role: 'anon' },
        read_only: true,
        has_result: true,
      }),
    ]);
    expect((await list(`/history?actor=${BOB}&search=APPLES`)).map(({ id }) => id)).toEqual([first]);
    expect((await call(`/history/${first}?actor=${BOB}`)).body).toMatchObject({ result: '{"a":1}' });
    expect((await call(`/history/${first}?actor=${ADA}`)).body).toMatchObject({ code: 'run_not_found' });
  });

  it('keeps the newest 500 runs of an administrator, and those of others', async () => {
    const other = await add({ actor_id: ADA });
    for (let run = 0; run < 503; run++) await add({ sql: `select ${run}` });
    const runs = await list(`/history?actor=${BOB}&limit=500`);
    expect([runs.length, runs[0]?.sql, runs.at(-1)?.sql]).toEqual([500, 'select 502', 'select 3']);
    expect((await list(`/history?actor=${ADA}`)).map(({ id }) => id)).toEqual([other]);
  });

  it('removes finished runs of one administrator', async () => {
    const running = await add();
    const finished = await add();
    await call(`/history/${finished}`, 'PATCH', { outcome: 'failed', error: 'refused' });
    expect((await call(`/history?actor=${BOB}`, 'DELETE')).status).toBe(204);
    const ids = (await list(`/history?actor=${BOB}&limit=500`)).map(({ id }) => id);
    expect([ids.includes(running), ids.includes(finished)]).toEqual([true, false]);
  });

  it.each(['greenroom.sql_runs', 'greenroom.saved_queries'])(
    'refuses SQL of the admin area that reads or changes %s',
    async (table) => {
      expect((await meta.sql(`delete from ${table}`)).error?.code).toBe('42501');
    },
  );
});

it('cancels a run of another process by its name in pg_stat_activity', async () => {
  const id = randomUUID();
  // A second run with the name of the first one stands for the run of another process.
  const run = meta.sql(`set application_name = 'greenroom meta ${id}'; select pg_sleep(60)`);
  await vi.waitFor(async () => {
    expect((await call('/cancel', 'POST', { id })).status).toBe(204);
  });
  expect((await run).error?.code).toBe('57014');
});

it('reports the place of an error after characters of two units', async () => {
  const sql = "select '😀'; select '😀', nothing";
  expect((await meta.sql(sql)).error?.offset).toBe(sql.indexOf('nothing'));
});
