import { randomBytes } from 'node:crypto';
import { createTestDatabase, freePort, type TestDatabase } from '@greenroom/testing';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dumpData } from './data-dump.ts';
import { dumpRoles } from './role-dump.ts';
import { runPgDump } from './run-pg-dump.ts';
import { dumpSchema } from './schema-dump.ts';

const SCHEMA = `
  create type mood as enum ('fine', 'it''s tired');
  create table "Note" (id bigint generated always as identity primary key, text text not null default 'a;b', mood mood);
  comment on table "Note" is 'First line
-- second line';
  alter table "Note" enable row level security;
  create policy "own notes" on "Note" for select to authenticated using (id > 0);
  create view short_note with (security_invoker) as select id, left(text, 3) as text from "Note";
  create function shout(text text) returns text language plpgsql as $$
begin
-- A comment at the start of a line belongs to the body.
  return upper(text);
end $$;
  create function on_note() returns trigger language plpgsql as 'begin return new; end';
  create trigger on_note before insert on "Note" for each row execute function on_note();
  create schema shop;
  create table shop.item (id int primary key, note bigint references "Note");
  grant select on "Note" to anon;
  create publication supabase_realtime_test for table "Note";`;
const ROWS = `
  insert into "Note" (text, mood) values ('line
-- no comment', 'fine'), ('it''s', null);
  insert into shop.item values (1, 1);
  insert into auth.users (id, email) values ('00000000-0000-0000-0000-000000000001', 'ada@example.org');`;

let database: TestDatabase;
let copy: TestDatabase;

beforeEach(async () => {
  [database, copy] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterEach(() => Promise.all([database.drop(), copy.drop()]));

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

describe('a dump of the schema', () => {
  it('creates the same schema in another database, also a second time', async () => {
    await run(database.ownerUrl, SCHEMA);
    const dumped = await dumpSchema(database.ownerUrl, { keepsComments: false });
    await run(copy.ownerUrl, dumped);
    expect(await dumpSchema(copy.ownerUrl, { keepsComments: false })).toBe(dumped);
  });

  it('has the objects of the project only, and keeps the bodies of functions', async () => {
    await run(database.ownerUrl, SCHEMA);
    const dumped = await dumpSchema(database.ownerUrl, { keepsComments: false });
    expect(dumped).toContain('CREATE TABLE IF NOT EXISTS "public"."Note"');
    expect(dumped).toContain('CREATE SCHEMA IF NOT EXISTS "shop"');
    expect(dumped).toContain('CREATE OR REPLACE TRIGGER "on_note"');
    expect(dumped).toContain('\n-- A comment at the start of a line belongs to the body.\n');
    expect(dumped).toContain("IS 'First line\n-- second line';");
    expect(dumped).not.toMatch(
      /"auth"\."users"|EVENT TRIGGER|supabase_realtime|transaction_timeout|\\restrict/,
    );
    expect(dumped).not.toMatch(/^-- Name:/m);
  });

  it('may keep the comments of pg_dump, and name schemas', async () => {
    await run(database.ownerUrl, SCHEMA);
    const dumped = await dumpSchema(database.ownerUrl, { keepsComments: true, schemas: ['shop'] });
    expect(dumped).toMatch(/^-- Name: item; Type: TABLE; Schema: shop/m);
    expect(dumped).not.toContain('"public"."Note" (');
  });
});

describe('a dump of rows', () => {
  it('inserts the same rows into another database, accounts included', async () => {
    for (const { ownerUrl } of [database, copy]) await run(ownerUrl, SCHEMA);
    await run(database.url, ROWS);
    const dumped = await dumpData(database.ownerUrl, { excludedTables: [] });
    await run(copy.url, dumped);
    expect(await dumpData(copy.ownerUrl, { excludedTables: [] })).toBe(dumped);
    expect(dumped).toContain('ada@example.org');
    expect(dumped).not.toContain('migrations');
  });

  it('leaves out tables and other schemas on request', async () => {
    await run(database.ownerUrl, SCHEMA);
    await run(database.url, ROWS);
    const dump = (options: Partial<Parameters<typeof dumpData>[1]>) =>
      dumpData(database.ownerUrl, { excludedTables: [], ...options });
    const without = await dump({ excludedTables: ['public.Note'] });
    expect(without).not.toContain('INSERT INTO "public"."Note"');
    expect(without).toContain('INSERT INTO "shop"."item"');
    expect(await dump({ schemas: ['shop'] })).not.toContain('ada@example.org');
  });
});

describe('a dump of queues', () => {
  const QUEUES = `create extension pgmq; select pgmq.create('tasks');
    alter table pgmq.q_tasks enable row level security; create policy own on pgmq.q_tasks using (true);
    select pgmq.send('tasks', '"first"'), pgmq.send('tasks', '"second"', '{"h": 1}'::jsonb);
    select pgmq.archive('tasks', 1)`;

  it('by pg_dump contains their tables, rows and list', async () => {
    await run(database.ownerUrl, QUEUES);
    const dumped = await runPgDump(database.ownerUrl, ['--schema=pgmq', '--extension=pgmq']);
    expect(dumped).toMatch(/^CREATE EXTENSION IF NOT EXISTS pgmq /m);
    expect(dumped).toMatch(/^CREATE TABLE pgmq\.q_tasks /m);
    expect(dumped).toMatch(/^CREATE INDEX archived_at_idx_tasks /m);
    expect(dumped).toMatch(/^CREATE POLICY own ON pgmq\.q_tasks /m);
    for (const table of ['meta', 'q_tasks', 'a_tasks'])
      expect(dumped).toMatch(new RegExp(`^INSERT INTO pgmq\\.${table} `, 'm'));
  });

  it('of their rows fits into a database whose migrations create the same queues', async () => {
    await run(database.ownerUrl, QUEUES);
    await run(copy.ownerUrl, `create extension pgmq; select pgmq.create('tasks')`);
    const dumped = await dumpData(database.ownerUrl, { excludedTables: [] });
    await run(copy.url, dumped);
    expect(await dumpData(copy.ownerUrl, { excludedTables: [] })).toBe(dumped);
    expect(dumped).toContain('"first"');
    await run(copy.ownerUrl, `select pgmq.send('tasks', '"third"')`);
  });

  it('of their schema creates them in another database', async () => {
    await run(database.ownerUrl, QUEUES);
    const dumped = await dumpSchema(database.ownerUrl, { keepsComments: false, schemas: ['pgmq'] });
    await run(copy.ownerUrl, `create extension pgmq; ${dumped}; select pgmq.send('tasks', '1')`);
    expect(await dumpSchema(database.ownerUrl, { keepsComments: false })).not.toContain('q_tasks');
  });
});

it('a dump of rows leaves out cron jobs and their runs, which migrations schedule', async () => {
  await run(
    database.ownerUrl,
    `create extension pg_cron; select cron.schedule('nightly', '@daily', 'vacuum');
     insert into cron.job_run_details (jobid) values (1)`,
  );
  expect(await dumpData(database.ownerUrl, { excludedTables: [] })).not.toMatch(/INSERT INTO "cron"/);
  const dumped = await runPgDump(database.ownerUrl, ['--schema=cron', '--extension=pg_cron']);
  for (const table of ['job', 'job_run_details'])
    expect(dumped).toMatch(new RegExp(`^INSERT INTO cron\\.${table} `, 'm'));
});

describe('a dump of roles', () => {
  it('creates roles with attributes, settings and memberships, without those of the platform', async () => {
    const name = `Role ${randomBytes(4).toString('hex')}`;
    const create = `create role "${name}" login createdb password 'secret'; grant anon to "${name}" with admin option;
      alter role "${name}" set statement_timeout = '3s'; alter role "${name}" set search_path = public, "My, schema";
      alter role "${name}" set "app.tenant" = 'first, second';`;
    await run(database.url, create);
    try {
      const dumped = await dumpRoles(database.ownerUrl);
      expect(dumped).toContain(`CREATE ROLE "${name}";`);
      expect(dumped).not.toMatch(/secret|CREATE ROLE "(?:anon|postgres|supabase_|pg_)/);
      const own = dumped.split('\n').filter((line) => line.includes(name));
      await run(database.url, `drop role "${name}"; ${own.join('\n')}`);
      expect(await dumpRoles(database.ownerUrl)).toBe(dumped);
      expect(dumped).toContain(`SET "search_path" TO 'public', 'My, schema';`);
    } finally {
      await run(database.url, `drop role "${name}"`);
    }
  });
});

describe('a dump', () => {
  it('is refused without a server, and the message has no password', async () => {
    const port = await freePort();
    const url = `postgresql://ada:secret@127.0.0.1:${port}/postgres`;
    for (const dumped of [dumpSchema(url, { keepsComments: false }), dumpRoles(url)])
      await expect(dumped).rejects.toThrow(/^(?!.*secret).*127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  it('is refused with the message of pg_dump', async () => {
    await expect(
      dumpSchema(database.ownerUrl, { keepsComments: false, schemas: ['nowhere'] }),
    ).rejects.toThrow('the database cannot be dumped: no matching schemas were found');
  });
});
