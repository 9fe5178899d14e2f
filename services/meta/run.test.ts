/** SQL through the service: results, errors, limits, roles, transactions, cancelling and exports. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { MetaServer } from './testing/meta-server.ts';

let meta: MetaServer;

beforeAll(async () => {
  meta = await MetaServer.open({
    sql: `
      create table notes (id bigint generated always as identity primary key, body text, owner uuid);
      alter table notes enable row level security;
      create policy own on notes to authenticated using (owner = auth.uid());
      grant select, insert on notes to authenticated;
      alter table notes owner to postgres;
      insert into notes (body, owner) values ('first', '00000000-0000-4000-8000-000000000001'), ('second', null);
    `,
  });
});
afterAll(() => meta.close());

describe('a run', () => {
  it('returns the result of each statement with exact texts, types and the columns of tables', async () => {
    const {
      results,
      error,
      is_committed: isCommitted,
    } = await meta.sql(
      "select id, body from notes order by id; select 9007199254740993::bigint as big, '{1,2}'::int[] as list, null as none",
    );
    expect({ error, isCommitted, rows: results.map(({ rows }) => rows) }).toEqual({
      error: null,
      isCommitted: true,
      rows: [
        [
          ['1', 'first'],
          ['2', 'second'],
        ],
        [['9007199254740993', '{1,2}', null]],
      ],
    });
    expect(results[0]?.columns?.map(({ name, type, column }) => [name, type, column])).toEqual([
      ['id', 'bigint', 1],
      ['body', 'text', 2],
    ]);
    expect(results[1]?.columns?.map(({ name, type, table }) => [name, type, table])).toEqual([
      ['big', 'bigint', null],
      ['list', 'integer[]', null],
      ['none', 'text', null],
    ]);
  });

  it('works as postgres, who is no superuser', async () => {
    const { results } = await meta.sql(
      'select current_user, rolsuper from pg_roles where rolname = current_user',
    );
    expect(results[0]?.rows).toEqual([['postgres', 'f']]);
  });

  it('returns as many rows as requested, and whether there are more', async () => {
    const { results } = await meta.sql(
      'select * from generate_series(1, 5); select * from generate_series(1, 3)',
      {
        max_rows: 3,
      },
    );
    expect(results.map((result) => [result.rows.length, result.is_truncated, result.row_count])).toEqual([
      [3, true, null],
      [3, false, 3],
    ]);
  });

  it('discards rows beyond 16 MB, also a row that alone is larger', async () => {
    const { results } = await meta.sql(
      "select repeat('x', 1000000) from generate_series(1, 30); select 'small' union all select repeat('y', 40000000)",
    );
    expect(results[0]?.rows.length).toBe(16);
    expect(results[0]?.is_truncated).toBe(true);
    expect(results[1]?.rows).toEqual([['small']]);
    expect(results[1]?.is_truncated).toBe(true);
  });

  it('takes parameters', async () => {
    const { results } = await meta.sql('select $1::int + 1 as next, $2::text as none', {
      parameters: ['41', null],
    });
    expect(results[0]?.rows).toEqual([['42', null]]);
  });

  it('reports the place of an error, and runs no later statement', async () => {
    const sql = "insert into notes (body) values ('kept');\nselect * from nowhere;\nselect 3";
    const { results, error, is_committed: isCommitted } = await meta.sql(sql);
    expect(results).toHaveLength(1);
    expect(isCommitted).toBe(true);
    expect(error).toMatchObject({ code: '42P01', statement: 1, offset: sql.indexOf('nowhere') });
    expect(await meta.rows("delete from notes where body = 'kept' returning body")).toHaveLength(1);
  });

  it.each([
    ['all', "insert into notes (body) values ('lost'); select 1 / 0", false],
    ['rollback', "insert into notes (body) values ('lost')", false],
    ['each', "begin; insert into notes (body) values ('lost')", false],
    ['all', "insert into notes (body) values ('stays')", true],
  ])('with commit %s of %s leaves rows: %s', async (commit, sql, isCommitted) => {
    expect((await meta.sql(sql, { commit })).is_committed).toBe(isCommitted);
    const rows = await meta.rows("delete from notes where body in ('lost', 'stays') returning body");
    expect(rows).toHaveLength(isCommitted ? 1 : 0);
  });

  it.each([
    ['commit'],
    ['/* x */ END'],
    ['rollback'],
    ['rollback and chain'],
    ['abort'],
    ["prepare transaction 'x'"],
  ])('refuses %s in SQL that is rolled back, and changes nothing', async (end) => {
    const sql = `insert into notes (body) values ('lost'); ${end}; insert into notes (body) values ('lost')`;
    await expect(meta.sql(sql, { commit: 'rollback' })).rejects.toThrow(/400.*cannot contain/);
    await expect(meta.sql(end, { commit: 'rollback', parameters: ['1'] })).resolves.toMatchObject({
      error: { code: '08P01' },
    });
    expect(await meta.rows("delete from notes where body = 'lost' returning body")).toEqual([]);
  });

  it('allows savepoints in SQL that is rolled back', async () => {
    const sql = 'savepoint a; select 1; rollback to a; rollback to savepoint a; rollback work to a';
    expect((await meta.sql(sql, { commit: 'rollback' })).error).toBeNull();
  });

  it('sees rows as a role with claims', async () => {
    const { results } = await meta.sql('select body from notes; select current_user', {
      role: 'authenticated',
      claims: { sub: '00000000-0000-4000-8000-000000000001', role: 'authenticated' },
    });
    expect(results.map(({ rows }) => rows)).toEqual([[['first']], [['authenticated']]]);
  });

  it('leaves no role, claims, settings or temporary tables for the next one', async () => {
    await meta.sql('set work_mem = 12345; create temp table traces (id int)', { claims: { sub: 'x' } });
    const { results } = await meta.sql(
      `select current_user, current_setting('work_mem') = '12345kB', current_setting('request.jwt.claims', true), to_regclass('pg_temp.traces')`,
    );
    expect(results[0]?.rows).toEqual([['postgres', 'f', '', null]]);
  });

  it('refuses to write if it is read-only', async () => {
    const { error } = await meta.sql("insert into notes (body) values ('no')", { read_only: true });
    expect(error?.code).toBe('25006');
  });

  it('ends after its timeout', async () => {
    const { error } = await meta.sql('select pg_sleep(60)', { timeout_ms: 50 });
    expect(error?.code).toBe('57014');
  });

  const sleeping = (name: string) =>
    meta.rows(`select 1 from pg_stat_activity where state = 'active' and query = $1`, [
      `select pg_sleep(60) /* ${name} */`,
    ]);

  it('is cancelled by its id', async () => {
    const id = randomUUID();
    const running = meta.sql('select pg_sleep(60) /* by id */', { id });
    await vi.waitFor(async () => expect(await sleeping('by id')).toHaveLength(1));
    expect((await meta.call('/run', { body: { sql: 'select 1', id } })).status).toBe(409);
    expect((await meta.call('/cancel', { body: { id } })).status).toBe(204);
    expect((await running).error?.code).toBe('57014');
    expect((await meta.call('/cancel', { body: { id } })).status).toBe(404);
  });

  it('is cancelled when its client disconnects', async () => {
    const controller = new AbortController();
    const body = { sql: 'select pg_sleep(60) /* closed */' };
    const running = meta.call('/run', { body, signal: controller.signal });
    await vi.waitFor(async () => expect(await sleeping('closed')).toHaveLength(1));
    controller.abort(new Error('closed'));
    await expect(running).rejects.toThrow('closed');
    await vi.waitFor(async () => expect(await sleeping('closed')).toHaveLength(0));
  });

  it('returns notices', async () => {
    const { notices } = await meta.sql("do $$ begin raise notice 'hello'; raise warning 'careful'; end $$");
    expect(notices).toEqual([
      { severity: 'NOTICE', message: 'hello' },
      { severity: 'WARNING', message: 'careful' },
    ]);
  });

  it.each([
    ['copy … from stdin with rows', 'copy notes (body) from stdin;\na\n\\.\n'],
    ['an unclosed quote', "select 'a"],
    ['a command of psql', '\\d'],
  ])('refuses %s with a reason', async (_, sql) => {
    const response = await meta.call('/run', { body: { sql } });
    expect([response.status, await response.json()]).toEqual([
      400,
      { code: 'sql_error', message: expect.stringMatching(/\w/) },
    ]);
  });

  it('fails, and keeps working, when rows of copy are expected in a parameterized statement', async () => {
    const { error } = await meta.sql('copy notes (body) from stdin', { parameters: [null] });
    expect(error?.code).toMatch(/^[0-9A-Z]{5}$/);
    expect((await meta.sql('select 1')).results[0]?.rows).toEqual([['1']]);
  });
});

describe('POST /pg/query', () => {
  it('returns the rows of the last statement as objects with values of JSON', async () => {
    const query = `select 1; select 1 as int, 2::bigint as big, 9007199254740993::bigint as huge, 1.5::float8 as float, true as bool,
      '{"a": [1]}'::jsonb as json, array[1, 2] as list, null as none, '2026-01-01T00:00:00.123456Z'::timestamptz at time zone 'utc' as time`;
    const response = await meta.call('/query', { body: { query } });
    expect(await response.json()).toEqual([
      {
        int: 1,
        big: 2,
        huge: '9007199254740993',
        float: 1.5,
        bool: true,
        json: { a: [1] },
        list: [1, 2],
        none: null,
        time: '2026-01-01 00:00:00.123456',
      },
    ]);
  });

  it('returns 400 with code, message and position of an error', async () => {
    const response = await meta.call('/query', { body: { query: 'select nothing' } });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: '42703', message: 'column "nothing" does not exist', position: 8 }),
    ]);
  });

  it('refuses a result that is too large', async () => {
    const response = await meta.call('/query', {
      body: { query: 'select * from generate_series(1, 20000)' },
    });
    expect([response.status, (await response.json()).code]).toEqual([413, 'result_too_large']);
  });
});

describe('POST /pg/export', () => {
  it('streams all rows as CSV with quotes, null and empty texts', async () => {
    const sql = `select 1 as "a,b", 'x"y' as c, null as d, '' as e union all select n, E'two\\nlines', 'z', 'ü' from generate_series(2, 5000) n order by 1`;
    const response = await meta.call('/export', { body: { sql } });
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(text.startsWith('"a,b",c,d,e\r\n1,"x""y",,""\r\n2,"two\nlines",z,ü\r\n')).toBe(true);
    expect(text.match(/\r\n/g)).toHaveLength(5001);
  });

  it('takes parameters, and returns 400 for an error before the first row', async () => {
    const exported = await meta.call('/export', { body: { sql: 'select $1::int as n', parameters: ['7'] } });
    expect(await exported.text()).toBe('n\r\n7\r\n');
    const failed = await meta.call('/export', { body: { sql: 'select nothing' } });
    expect([failed.status, (await failed.json()).message]).toEqual([400, 'column "nothing" does not exist']);
  });

  it('ends the response without its end for an error after rows', async () => {
    const sql = 'select 1 / (9000 - n) as n from generate_series(1, 10000) n';
    const text = meta.call('/export', { body: { sql } }).then((response) => response.text());
    await expect(text).rejects.toThrow();
  });

  it('only reads', async () => {
    const response = await meta.call('/export', {
      body: { sql: "insert into notes (body) values ('no') returning id" },
    });
    expect(response.status).toBe(400);
  });
});
