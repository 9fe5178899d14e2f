import { readFile } from 'node:fs/promises';
import {
  createEmptyDatabase,
  createTestDatabase,
  lastRows,
  openClient,
  type TestDatabase,
} from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrate, platformMigrations } from './migrate.ts';

const QUEUE = `select method, url, headers, convert_from(body, 'UTF8') as body, timeout_milliseconds as timeout
  from net.http_request_queue`;

let database: TestDatabase;
let client: pg.Client;
/** A superuser, which can become any role. */
let admin: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
  admin = await openClient(database.url);
});
afterAll(async () => {
  await client.end();
  await admin.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no request.
beforeEach(async () => {
  await client.query('begin');
});
afterEach(async () => {
  await client.query('rollback');
});

const query = (sql: string, on = client) => lastRows(on, sql);

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('a call of pg_net', () => {
  it.each([
    [
      `net.http_get('http://a.test')`,
      { method: 'GET', url: 'http://a.test/', headers: {}, body: null, timeout: 5000 },
    ],
    [
      `net.http_get('https://a.test/x?y=1#z', '{"a b": "ü&", "n": 1, "none": null}', '{"h": "v"}', 100)`,
      {
        method: 'GET',
        url: 'https://a.test/x?y=1&n=1&a%20b=%C3%BC%26&none=#z',
        headers: { h: 'v' },
        body: null,
        timeout: 100,
      },
    ],
    [
      `net.http_post('http://a.test/x')`,
      { method: 'POST', url: 'http://a.test/x', headers: JSON_TYPE, body: '{}', timeout: 5000 },
    ],
    [
      `net.http_post(url := 'http://a.test?', body := '{"a": [1]}', headers := '{"Authorization": "Bearer t"}')`,
      {
        method: 'POST',
        url: 'http://a.test/',
        headers: { Authorization: 'Bearer t', ...JSON_TYPE },
        body: '{"a": [1]}',
        timeout: 5000,
      },
    ],
    [
      `net.http_post('http://a.test', null, headers := '{"content-type": "application/json"}')`,
      {
        method: 'POST',
        url: 'http://a.test/',
        headers: { 'content-type': 'application/json' },
        body: null,
        timeout: 5000,
      },
    ],
    [
      `net.http_delete('http://a.test/1', body := '{"a": 1}', timeout_milliseconds := 9)`,
      { method: 'DELETE', url: 'http://a.test/1', headers: {}, body: '{"a": 1}', timeout: 9 },
    ],
  ])('%s adds a request', async (call, expected) => {
    expect(await query(`select ${call} > 0 as has_id`)).toEqual([{ has_id: true }]);
    expect(await query(QUEUE)).toEqual([expected]);
  });

  it.each([
    [`net.http_get('localhost:80')`, '22023', 'Unsupported URL scheme'],
    [`net.http_get('file:///etc/passwd')`, '22023', 'Unsupported URL scheme'],
    [`net.http_get('/path')`, '22023', 'invalid URL "/path"'],
    [`net.http_get('http://a.test/a b')`, '22023', 'invalid URL "http://a.test/a b"'],
    [
      `net.http_post('http://a.test', headers := '{"Content-Type": "text/plain"}')`,
      '22023',
      'Content-Type header must be',
    ],
    ['net.http_get(null)', '23502', 'null value in column "url"'],
    ['net.http_delete(null)', '23502', 'null value in column "url"'],
  ])('%s is refused', async (call, code, message) => {
    await expect(query(`select ${call}`)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  it('reports a response, a failure, and no response', async () => {
    await query(`insert into net._http_response (id, status_code, content, headers) values (1, 200, 'ok', '{"a": "b"}');
      insert into net._http_response (id, error_msg) values (2, 'broken')`);
    const collected = await query(`
      select id, (c).status, (c).message, ((c).response).status_code as code, ((c).response).body as body
      from unnest(array[1, 2, 3]) as id, lateral (select net._http_collect_response(id) as c) as r`);
    expect(collected).toEqual([
      { id: 1, status: 'SUCCESS', message: 'ok', code: 200, body: 'ok' },
      { id: 2, status: 'ERROR', message: 'broken', code: null, body: null },
      { id: 3, status: 'ERROR', message: 'request matching request_id not found', code: null, body: null },
    ]);
    expect(await query('select (net.http_collect_response(1, async := false)).message')).toEqual([
      { message: 'ok' },
    ]);
  });

  it('survives a crash of PostgreSQL, because the tables are logged', async () => {
    const persistence = `select distinct relpersistence as kind from pg_class where relnamespace = 'net'::regnamespace`;
    expect(await query(persistence)).toEqual([{ kind: 'p' }]);
  });

  it('fails with a hint while no instance sends requests', async () => {
    await expect(query('select net.check_worker_is_up()')).rejects.toMatchObject({
      hint: 'Start Greenroom with the service jobs.',
    });
  });
});

describe('the rights on pg_net', () => {
  const CALLS = [
    `select net.http_get('http://a.test')`,
    `select net.http_post('http://a.test')`,
    `select net.http_delete('http://a.test')`,
    'select net.wake()',
  ];
  const READS = [
    'select * from net.http_request_queue',
    'select * from net._http_response',
    'select net._http_collect_response(1)',
    `insert into net.http_request_queue (method, url, timeout_milliseconds) values ('GET', 'http://a.test', 1)`,
    `select net._enqueue('GET', 'http://a.test', '{}', '{}', null, 1)`,
    'select net.worker_restart()',
  ];

  it.each(['anon', 'authenticated', 'service_role', 'supabase_auth_admin'])(
    'permit %s to send requests',
    async (role) => {
      for (const call of CALLS) await query(`begin; set local role ${role}; ${call}; rollback`, admin);
    },
  );

  it.each(['anon', 'authenticated'])('refuse %s to read requests and responses', async (role) => {
    await query('savepoint before');
    for (const read of READS) {
      await expect(query(`set local role ${role}; ${read}`)).rejects.toMatchObject({ code: '42501' });
      await query('rollback to before');
    }
  });

  it('permit service_role to read responses, and nothing else', async () => {
    await query(
      'set local role service_role; select * from net._http_response; select net._http_collect_response(1)',
    );
    await query('savepoint before');
    await expect(query('select * from net.http_request_queue')).rejects.toMatchObject({ code: '42501' });
    await query('rollback to before');
    await expect(query('delete from net._http_response')).rejects.toMatchObject({ code: '42501' });
  });

  it('permit postgres to change all rows, and to add triggers, which run without its rights', async () => {
    await query(`
      delete from net.http_request_queue; truncate net._http_response;
      create table public.seen (id bigint, by text);
      create function public.see() returns trigger language plpgsql as $$
      begin
        insert into public.seen values (new.id, current_user);
        return new;
      end $$;
      create trigger see after insert on net._http_response for each row execute function public.see();
      grant select on net._http_response to authenticated`);
    const netRole = await openClient(database.netUrl);
    try {
      expect(
        await query(
          'select rolsuper, rolcreaterole, rolbypassrls from pg_roles where rolname = current_user',
          netRole,
        ),
      ).toEqual([{ rolsuper: false, rolcreaterole: false, rolbypassrls: false }]);
      await expect(query('create table public.t ()', netRole)).rejects.toMatchObject({ code: '42501' });
    } finally {
      await netRole.end();
    }
  });
});

describe('the extension', () => {
  it.each(['0.7.1', '0.14.0', '0.19.5', '0.20.0'])('can be created with the version %s', async (version) => {
    await query(
      `drop extension pg_net; create extension if not exists pg_net with schema extensions version '${version}'`,
    );
    await query(`select net.http_get('http://a.test')`);
    expect(await query(`select extversion from pg_extension where extname = 'pg_net'`)).toEqual([
      { extversion: version },
    ]);
  });

  it('keeps a schema that existed before it', async () => {
    await query(
      'drop extension pg_net; drop schema if exists net; create schema net; create table net.own ()',
    );
    await query('create extension pg_net; drop extension pg_net');
    expect(await query('select * from net.own')).toEqual([]);
  });
});

describe('rights', () => {
  it('on all functions and tables can be granted by the owner of the database, as migrations of projects do', async () => {
    await client.query(`
      grant usage on schema net to postgres, authenticated;
      grant execute on all functions in schema net to postgres, authenticated;
      grant all on all tables in schema net to postgres`);
    expect(
      await query(
        `select has_function_privilege('authenticated', 'net.worker_restart()', 'execute') as granted`,
      ),
    ).toEqual([{ granted: true }]);
  });
});

/** The objects of the former placeholder. */
const PLACEHOLDER = `
  create schema net;
  create view net._http_response as select null::bigint as id, null::int as status_code, null::text as content_type,
    null::jsonb as headers, null::text as content, null::boolean as timed_out, null::text as error_msg,
    null::timestamptz as created where false;
  create function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds int default 5000)
    returns bigint language plpgsql as 'begin raise exception using errcode = ''feature_not_supported''; end';
  create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
    headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000)
    returns bigint language plpgsql as 'begin raise exception using errcode = ''feature_not_supported''; end';
  create function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}',
    timeout_milliseconds int default 5000, body jsonb default null)
    returns bigint language plpgsql as 'begin raise exception using errcode = ''feature_not_supported''; end';
  alter extension pg_net add schema net;
  alter extension pg_net add view net._http_response;
  alter extension pg_net add function net.http_get(text, jsonb, jsonb, int);
  alter extension pg_net add function net.http_post(text, jsonb, jsonb, jsonb, int);
  alter extension pg_net add function net.http_delete(text, jsonb, jsonb, int, jsonb);
  grant all on schema net to postgres with grant option;
  grant select on net._http_response to postgres with grant option`;

describe('a database with the placeholder', () => {
  it.each([
    ['of a version that the project has named', '0.14.0', ''],
    [
      'with objects of the project that depend on it',
      '0.20.0',
      'create view public.errors as select id, error_msg from net._http_response',
    ],
  ])('%s gets the extension', async (_name, version, dependents) => {
    const former = await createTestDatabase();
    const superuser = await openClient(former.url);
    try {
      const directory = new URL('migrations/', import.meta.url);
      const migration = await readFile(new URL('0025_http_requests.sql', directory), 'utf8');
      await superuser.query(`
        set search_path = pg_catalog;
        drop extension pg_net;
        create extension pg_net with schema extensions version '0';
        update pg_extension set extversion = '${version}', extowner = 'postgres'::regrole where extname = 'pg_net';
        ${PLACEHOLDER}; set session authorization postgres; ${dependents}; reset session authorization`);
      await superuser.query(migration);
      await query(
        `set role postgres; select net.http_post('http://a.test'); reset role;
        insert into net._http_response (id, error_msg) values (1, 'broken')`,
        superuser,
      );
      expect(await query(QUEUE, superuser)).toHaveLength(1);
      const read = dependents === '' ? 'net._http_response' : 'public.errors';
      expect(await query(`set role postgres; select id, error_msg from ${read}`, superuser)).toEqual([
        { id: '1', error_msg: 'broken' },
      ]);
      expect(
        await query(`select to_regclass('net._placeholder_response') is not null as remains`, superuser),
      ).toEqual([{ remains: dependents !== '' }]);
    } finally {
      await superuser.end();
      await former.drop();
    }
  });
});

it('a database with a schema net of the project keeps it', async () => {
  const empty = await createEmptyDatabase();
  try {
    await empty.run('create schema net; create table net._http_response (own text)');
    await migrate(empty.url, [platformMigrations]);
    expect(await empty.admin.query({ text: 'select own from net._http_response' })).toEqual([]);
    expect(await empty.admin.query({ text: `select from pg_extension where extname = 'pg_net'` })).toEqual(
      [],
    );
  } finally {
    await empty.drop();
  }
});
