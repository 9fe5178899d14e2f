import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lastMigrations, migrate, platformMigrations } from './index.ts';

let database: TestDatabase;
let folder: string;
let service = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-migrations-'));
  service += 1;
  return () => rm(folder, { recursive: true });
});

const source = () => ({ service: `test${service}`, directory: pathToFileURL(`${folder}/`) });
const write = (name: string, sql: string) => writeFile(join(folder, name), sql);

describe('migrate', () => {
  it('applies each file once, in order', async () => {
    await write('0002_second.sql', 'insert into ordered values (2)');
    await write('0001_first.sql', 'create table ordered (n int)');
    expect(await migrate(database.url, [source()])).toEqual([
      `test${service}/0001_first`,
      `test${service}/0002_second`,
    ]);
    expect(await migrate(database.url, [source()])).toEqual([]);
  });

  it('rolls back a failing migration, keeps the earlier ones, and reports which failed', async () => {
    await write('0001_good.sql', 'create table good (n int)');
    await write('0002_bad.sql', 'create table half (n int); select 1/0');
    await expect(migrate(database.url, [source()])).rejects.toThrow('0002_bad failed: division by zero');
    const [row] = await database.admin.query({
      text: "select to_regclass('good') is not null as good, to_regclass('half') is not null as half",
    });
    expect(row).toEqual({ good: true, half: false });
  });

  it('reports a migration that takes longer than a second, and no other', async () => {
    await write('0001_quick.sql', 'select 1');
    await write('0002_slow.sql', 'select pg_sleep(1.2)');
    const slow: string[] = [];
    await migrate(database.url, [source()], { onSlow: (name) => slow.push(name) });
    expect(slow).toEqual([`test${service}/0002_slow`]);
  });

  it('rejects a migration that was edited after it ran', async () => {
    await write('0001_first.sql', 'select 1');
    await migrate(database.url, [source()]);
    await write('0001_first.sql', 'select 2');
    await expect(migrate(database.url, [source()])).rejects.toThrow('was changed after it was applied');
  });

  it('accepts an alternative checksum', async () => {
    await write('0001_first.sql', 'select 1');
    await migrate(database.url, [source()]);
    const otherChecksums = { '0001_first': [createHash('sha256').update('select 1').digest('hex')] };
    await write('0001_first.sql', 'select 2');
    expect(await migrate(database.url, [{ ...source(), otherChecksums }])).toEqual([]);
  });

  it('rejects a database that a newer version has upgraded, and changes nothing', async () => {
    await write('0001_first.sql', 'select 1');
    await write('0003_newer.sql', 'select 1');
    await migrate(database.url, [source()]);
    await rm(join(folder, '0003_newer.sql'));
    await write('0002_second.sql', 'create table of_an_older_version (n int)');
    await expect(migrate(database.url, [source()])).rejects.toThrow(
      `upgraded by a newer version of Greenroom, which applied test${service}/0003_newer`,
    );
    const [row] = await database.admin.query({ text: "select to_regclass('of_an_older_version') as made" });
    expect(row).toEqual({ made: null });
  });

  it('ignores migrations of services that it does not migrate', async () => {
    await write('0001_other.sql', 'select 1');
    await migrate(database.url, [{ ...source(), service: `other${service}` }]);
    expect(await migrate(database.url, [source()])).toEqual([`test${service}/0001_other`]);
  });

  it('runs once if several nodes start at the same time', async () => {
    await write('0001_once.sql', 'create table once (n int)');
    const results = await Promise.all([1, 2, 3].map(() => migrate(database.url, [source()])));
    expect(results.flat()).toEqual([`test${service}/0001_once`]);
  });
});

describe('a database without migrations', () => {
  it('is unchanged if the check before the first migration rejects', async () => {
    const empty = await createEmptyDatabase();
    await write('0001_first.sql', 'create table first (n int)');
    const refused = migrate(empty.url, [source()], {
      beforeFirst: () => Promise.reject(new Error('not here')),
    });
    await expect(refused).rejects.toThrow('not here');
    const [row] = await empty.admin.query({
      text: `select to_regclass('first') as first, to_regnamespace('greenroom') as greenroom`,
    });
    expect(row).toEqual({ first: null, greenroom: null });
    await empty.drop();
  });

  it('is checked once', async () => {
    const empty = await createEmptyDatabase();
    let checks = 0;
    const beforeFirst = async () => {
      checks += 1;
    };
    await write('0001_first.sql', 'create table first (n int)');
    await migrate(empty.url, [source()], { beforeFirst });
    await migrate(empty.url, [source()], { beforeFirst });
    expect(checks).toBe(1);
    await empty.drop();
  });
});

describe('the platform', () => {
  const settings = (values: Record<string, string>) => ({
    text: `select ${Object.keys(values)
      .map((_, i) => `set_config($${i * 2 + 1}, $${i * 2 + 2}, true)`)
      .join(', ')}`,
    values: Object.entries(values).flat(),
  });
  const currentUser = {
    text: 'select auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() as jwt',
  };

  it('is up to date in a test database', async () => {
    expect(await migrate(database.url, [platformMigrations])).toEqual([]);
  });

  it.each([
    ['missing settings', {}, { uid: null, role: null, email: null, jwt: null }],
    [
      'empty settings',
      { 'request.jwt.claims': '', 'request.jwt.claim.sub': '' },
      { uid: null, role: null, jwt: null },
    ],
    [
      'claims as JSON',
      {
        'request.jwt.claims': '{"sub":"5f0e2a8c-0000-4000-8000-000000000001","role":"anon","email":"a@b.c"}',
      },
      { uid: '5f0e2a8c-0000-4000-8000-000000000001', role: 'anon', email: 'a@b.c' },
    ],
    [
      'single claims in preference to JSON',
      { 'request.jwt.claim.role': 'x', 'request.jwt.claims': '{"role":"y"}' },
      { role: 'x', jwt: { role: 'y' } },
    ],
  ])('reads the caller from %s', async (_, values: Record<string, string>, expected) => {
    const batch = Object.keys(values).length > 0 ? [settings(values), currentUser] : [currentUser];
    const results = await database.admin.batch(batch);
    expect(results.at(-1)?.[0]).toMatchObject(expected);
  });

  it.each(['anon', 'authenticated', 'service_role'])(
    'grants access to new tables in public to %s',
    async (role) => {
      await database.admin.query({ text: `create table opened_${role} (n int)` });
      const asRole = { text: "select set_config('role', $1, true)", values: [role] };
      const [, rows] = await database.admin.batch([
        asRole,
        { text: `insert into opened_${role} values (1) returning n` },
      ]);
      expect(rows).toEqual([{ n: 1 }]);
    },
  );

  it('has row-level security on every table of the platform', async () => {
    const open = await database.admin.query({
      text: `select oid::regclass::text as name from pg_class
        where relkind = 'r' and not relrowsecurity and relnamespace in ('auth'::regnamespace, 'greenroom'::regnamespace)`,
    });
    expect(open).toEqual([]);
  });

  it('prevents service roles from being superusers and from reading the tables of the platform', async () => {
    const [row] = await database.auth.query({
      text: `select rolsuper, (
          select array_agg(relname::text) from pg_class
            where relnamespace = 'greenroom'::regnamespace and relkind = 'r'
              and has_table_privilege(oid, 'select, update, delete, truncate')
        ) as within_reach
        from pg_roles where rolname = current_user`,
    });
    expect(row).toEqual({ rolsuper: false, within_reach: null });
  });

  it('permits authentication to insert messages into the outbox', async () => {
    await database.auth.query({
      text: `insert into greenroom.outbox (channel, kind, recipient, text_body, state)
        values ('mail', 'recovery', 'ann@example.org', 'Hello', 'queued')`,
    });
    const messages = await database.admin.query({
      text: 'select attempts, last_error from greenroom.messages',
    });
    expect(messages).toEqual([{ attempts: 0, last_error: null }]);
  });
});

it('lastMigrations returns the last migration of each service', async () => {
  await write('0002_second.sql', 'select 1');
  await write('0001_first.sql', 'select 1');
  await write('0003_notes.txt', '');
  expect(await lastMigrations([source()])).toEqual({ [`test${service}`]: '0002_second' });
});
