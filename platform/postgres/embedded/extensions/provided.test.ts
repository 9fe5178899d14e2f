import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { missingExtensions } from './missing.ts';

let database: TestDatabase;
let client: pg.Client;
let notices: { message?: string | undefined; hint?: string | undefined }[];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.ownerUrl });
  client.on('notice', ({ message, hint }) => notices.push({ message, hint }));
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

// Each test runs in a transaction, so the next one finds no extension.
beforeEach(async () => {
  notices = [];
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

/** Returns the error of a statement. */
async function errorOf(sql: string): Promise<pg.DatabaseError> {
  return client.query(sql).then(
    () => {
      throw new Error(`no error: ${sql}`);
    },
    (error: pg.DatabaseError) => error,
  );
}

describe('a placeholder', () => {
  it.each([
    ['pg_graphql', 'with schema "graphql"', 'GraphQL is not available'],
    ['pgsodium', '', 'encryption is not available'],
    ['pgsodium', 'with schema "pgsodium"', 'encryption is not available'],
    ['pg_tle', '', 'extensions cannot be installed from SQL'],
    ['wrappers', 'with schema "extensions"', 'foreign data wrappers are not available'],
    ['http', 'with schema "extensions"', 'HTTP requests are not sent'],
    ['hypopg', 'with schema "extensions"', 'hypothetical indexes are not available'],
    ['index_advisor', 'with schema "extensions"', 'index advice is not available'],
    ['pg_repack', 'with schema "extensions"', 'tables are not repacked'],
    ['pgaudit', 'with schema "extensions"', 'no audit records are written'],
    ['pg_stat_monitor', 'with schema "extensions"', 'statements are not monitored'],
    ['plpgsql_check', 'with schema "extensions"', 'functions are not checked'],
  ])(
    'of %s %s can be created, described and dropped, and a notice reports: %s',
    async (name, clause, text) => {
      await client.query('set local client_min_messages = warning');
      await client.query(`drop extension if exists "${name}"`);
      await client.query(`create extension if not exists "${name}" ${clause}`);
      expect(notices).toEqual([{ message: `${name} is a placeholder: ${text}`, hint: expect.any(String) }]);
      expect(await query('show client_min_messages')).toEqual([{ client_min_messages: 'warning' }]);
      expect(await query(`select extversion from pg_extension where extname = '${name}'`)).toEqual([
        { extversion: 'placeholder' },
      ]);
      await client.query(`comment on extension "${name}" is 'a comment of a dump'`);
      await client.query(`create extension if not exists "${name}" ${clause}`);
      await client.query(`drop extension if exists "${name}"`);
      expect(await query(`select from pg_extension where extname = '${name}'`)).toEqual([]);
    },
  );

  it.each([
    ['pgsodium', 'pgsodium.create_key()', 'pgsodium.create_key'],
    ['pg_tle', `pgtle.install_extension('a', '1', '', '')`, 'pgtle.install_extension'],
    ['http', `http_get('http://localhost')`, 'http_get'],
  ])('of %s refuses to evaluate %s', async (name, call, called) => {
    await client.query(`create extension if not exists ${name}`);
    expect(await errorOf(`select ${call}`)).toMatchObject({
      code: '0A000',
      message: `${called} is not available`,
      hint: expect.stringContaining(name),
    });
  });

  it.each([['pgsodium', 'pgsodium.valid_key']])('of %s has an empty %s', async (name, view) => {
    await client.query(`create extension if not exists ${name}`);
    expect(await query(`select * from ${view}`)).toEqual([]);
  });

  it('keeps a schema that existed before it', async () => {
    await client.query(
      'create schema pgtle; create table pgtle.own (); create extension pg_tle; drop extension pg_tle',
    );
    expect(await query('select * from pgtle.own')).toEqual([]);
  });
});

describe('a version of the hosted service', () => {
  it.each([['pgsodium', 'pgsodium', '3.1.8']])(
    'of the placeholder of %s can be created in the schema %s: %s',
    async (name, schema, version) => {
      await client.query(`create schema if not exists ${schema}`);
      await client.query(
        `create extension if not exists "${name}" with schema "${schema}" version '${version}'`,
      );
      expect(await query(`select extversion from pg_extension where extname = '${name}'`)).toEqual([
        { extversion: version },
      ]);
    },
  );

  it('can be the target of an update', async () => {
    await client.query('create extension if not exists pgsodium');
    await client.query(`alter extension pgsodium update to '3.1.8'`);
    expect(await query('select from pgsodium.valid_key')).toEqual([]);
  });
});

describe('the placeholder of pgaudit', () => {
  it('has the functions on which dumps grant rights', async () => {
    await client.query(`
      create extension pgaudit with schema public;
      grant all on function public.pgaudit_ddl_command_end() to anon;
      grant all on function public.pgaudit_sql_drop() to anon`);
  });
});

describe('a missing extension', () => {
  it.each([
    ['vector', 'greenroom extensions add postgresql-18-pgvector'],
    ['postgis', 'greenroom extensions add postgresql-18-postgis-3 postgresql-18-postgis-3-scripts'],
    ['pg_hashids', 'greenroom extensions add <folder>'],
  ])('%s is refused with the command that adds its files', async (name, command) => {
    expect(await errorOf(`create extension if not exists "${name}" with schema extensions`)).toMatchObject({
      code: '0A000',
      message: `extension "${name}" is not available`,
      hint: `Add its files for PostgreSQL 18: ${command}`,
    });
  });

  it.each([
    `create extension vector version '0.8.0'`,
    `CREATE EXTENSION IF NOT EXISTS "vector" WITH SCHEMA "extensions" VERSION '0.8.0'; select 1`,
    `-- for search\n/* vectors */ create extension Vector with version "0.5.1" cascade;`,
    'create extension vector',
  ])('is refused with that command also if a version is named: %s', async (statement) => {
    expect(await errorOf(statement)).toMatchObject({
      code: '0A000',
      message: 'extension "vector" is not available',
      hint: 'Add its files for PostgreSQL 18: greenroom extensions add postgresql-18-pgvector',
    });
  });

  it('is the subject of the error for every such extension and any version', async () => {
    for (const name of missingExtensions().keys()) {
      expect(await errorOf(`create extension "${name}" version '1.0'`)).toMatchObject({
        code: '0A000',
        message: `extension "${name}" is not available`,
      });
      await client.query('rollback; begin');
    }
  });

  it('does not change the errors of others', async () => {
    expect(await errorOf(`create extension pgcrypto version '9'`)).toMatchObject({ code: '42710' });
    await client.query('rollback; begin');
    expect(await errorOf(`create extension hstore version '9'`)).toMatchObject({ code: '22023' });
    await client.query('rollback; begin');
    expect(await errorOf('create extension vectors')).toMatchObject({
      code: '0A000',
      hint: expect.stringContaining('installed on the system'),
    });
  });

  it('is refused without the names of Debian packages on other systems', () => {
    expect(missingExtensions('darwin').get('vector')?.script).toContain('greenroom extensions add <folder>');
  });

  it('is listed with the version "missing" and the command', async () => {
    const rows = await query(
      `select name, comment from pg_available_extensions where default_version = 'missing' order by name`,
    );
    expect(rows.map(({ name }) => name)).toEqual([...missingExtensions().keys()]);
    expect(rows.at(-1)?.comment).toBe(
      'Files missing. To add them: greenroom extensions add postgresql-18-pgvector',
    );
  });
});

describe('pgjwt', () => {
  const SECRET = 'your-256-bit-secret';
  /** The example of jwt.io. */
  const TOKEN =
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

  beforeEach(async () => {
    await client.query('create extension if not exists "pgjwt" with schema "extensions"');
  });

  it('verifies a token of another implementation', async () => {
    expect(await query(`select * from extensions.verify('${TOKEN}', '${SECRET}')`)).toEqual([
      {
        header: { alg: 'HS256', typ: 'JWT' },
        payload: { sub: '1234567890', name: 'John Doe', iat: 1516239022 },
        valid: true,
      },
    ]);
  });

  it('signs like another implementation', async () => {
    const payload = '{"sub":"1234567890","name":"John Doe","iat":1516239022}';
    expect(await query(`select extensions.sign('${payload}', '${SECRET}') as token`)).toEqual([
      { token: TOKEN },
    ]);
  });

  it.each(['HS256', 'HS384', 'HS512'])('verifies what it signed with %s', async (algorithm) => {
    const token = `extensions.sign('{"sub": "ann", "text": "ü?>~"}', 'secret', '${algorithm}')`;
    expect(await query(`select * from extensions.verify(${token}, 'secret', '${algorithm}')`)).toEqual([
      { header: { alg: algorithm, typ: 'JWT' }, payload: { sub: 'ann', text: 'ü?>~' }, valid: true },
    ]);
  });

  it.each([
    ['signed with another secret', `extensions.sign('{}', 'other')`],
    ['signed with another algorithm', `extensions.sign('{}', 'secret', 'HS512')`],
    ['expired', `extensions.sign('{"exp": 1}', 'secret')`],
    ['not valid yet', `extensions.sign('{"nbf": 99999999999}', 'secret')`],
    ['without a signature', `'e30.e30'`],
    ['with a fourth part', `extensions.sign('{}', 'secret') || '.e30'`],
  ])('reports as invalid a token that is %s', async (_, token) => {
    expect(await query(`select valid from extensions.verify(${token}, 'secret')`)).toEqual([
      { valid: false },
    ]);
  });

  it('names the algorithms that it supports', async () => {
    expect(await errorOf(`select extensions.sign('{}', 'secret', 'none')`)).toMatchObject({
      message: 'unsupported algorithm "none"',
      hint: 'Use HS256, HS384 or HS512.',
    });
  });

  it.each([
    ['\\x', ''],
    ['\\x00', 'AA'],
    ['\\xfbff', '-_8'],
    ['\\xfbffbf', '-_-_'],
  ])('encodes %s as %s, and decodes it', async (bytes, text) => {
    expect(
      await query(
        `select extensions.url_encode('${bytes}') as encoded, extensions.url_decode('${text}')::text as decoded`,
      ),
    ).toEqual([{ encoded: text, decoded: bytes }]);
  });
});
