import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const QUEUE = `select method, url, headers, convert_from(body, 'UTF8') as body, timeout_milliseconds as timeout
  from net.http_request_queue`;
const JSON_TYPE = { 'Content-Type': 'application/json' };

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no request.
beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

/** Returns the rows of the last statement. */
async function query(sql: string): Promise<Record<string, unknown>[]> {
  const result: unknown = await client.query(sql);
  const last: unknown = Array.isArray(result) ? result.at(-1) : result;
  return (last as pg.QueryResult).rows;
}

describe('a database webhook', () => {
  const TABLE = 'create table public.posts (id int primary key, title text)';
  const trigger = (args: string, event = 'insert or update or delete') =>
    `create trigger hook after ${event} on public.posts for each row execute function supabase_functions.http_request(${args})`;
  const payloads = () =>
    query(`select convert_from(body, 'UTF8')::jsonb as payload from net.http_request_queue order by id`);

  it('adds a request with the row and the former row, and records it', async () => {
    await query(`${TABLE}; ${trigger(`'http://a.test/hook', 'POST', '{"Content-Type":"application/json","x-key":"k"}', '{"p":"1"}', '700'`)};
      insert into public.posts values (1, 'a'); update public.posts set title = 'b'; delete from public.posts`);
    const base = { table: 'posts', schema: 'public' };
    expect((await payloads()).map(({ payload }) => payload)).toEqual([
      { ...base, type: 'INSERT', record: { id: 1, title: 'a' }, old_record: null },
      { ...base, type: 'UPDATE', record: { id: 1, title: 'b' }, old_record: { id: 1, title: 'a' } },
      { ...base, type: 'DELETE', record: null, old_record: { id: 1, title: 'b' } },
    ]);
    expect(await query(`${QUEUE} limit 1`)).toMatchObject([
      { url: 'http://a.test/hook?p=1', headers: { 'x-key': 'k', ...JSON_TYPE }, timeout: 700 },
    ]);
    expect(
      await query(`select hook_table_id = 'public.posts'::regclass::oid::int as is_table, hook_name as name,
        request_id = any (select id from net.http_request_queue) as has_request from supabase_functions.hooks limit 1`),
    ).toEqual([{ is_table: true, name: 'hook', has_request: true }]);
  });

  it.each([
    [`'http://a.test', 'GET'`, { method: 'GET', headers: JSON_TYPE, body: null, timeout: 1000 }],
    [
      `'http://a.test', 'POST', 'null', 'null', 'null'`,
      { method: 'POST', headers: JSON_TYPE, timeout: 1000 },
    ],
  ])('with the arguments %s has the defaults of the hosted service', async (args, expected) => {
    await query(`${TABLE}; ${trigger(args)}; insert into public.posts values (1, 'a')`);
    expect(await query(QUEUE)).toMatchObject([expected]);
  });

  it.each([
    ['', 'url argument is missing'],
    [`'http://a.test'`, 'method argument is missing'],
    [`'http://a.test', 'PUT'`, 'method argument PUT is invalid'],
  ])('with the arguments (%s) refuses rows', async (args, message) => {
    await query(`${TABLE}; ${trigger(args)}`);
    await expect(query(`insert into public.posts values (1, 'a')`)).rejects.toMatchObject({ message });
  });

  it('fires for roles of requests, which cannot read the requests', async () => {
    await query(
      `${TABLE}; ${trigger(`'http://a.test', 'POST'`)}; set local role anon; insert into public.posts values (1, 'a')`,
    );
    await query('savepoint before');
    await expect(query('select * from supabase_functions.hooks')).rejects.toMatchObject({ code: '42501' });
    await query('rollback to before; reset role');
    expect(await payloads()).toHaveLength(1);
  });

  it('requires the extension', async () => {
    await query(`${TABLE}; ${trigger(`'http://a.test', 'POST'`)}; drop extension pg_net`);
    await expect(query(`insert into public.posts values (1, 'a')`)).rejects.toMatchObject({
      message: 'database webhooks require the extension pg_net',
      hint: 'create extension pg_net with schema extensions',
    });
  });
});
