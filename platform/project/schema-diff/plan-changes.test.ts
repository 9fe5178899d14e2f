/** Differences of real databases: the planned statements result in an equal schema. */
import { openSession } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitStatements } from '../sql/split.ts';
import { filesOfStatements } from './export-files.ts';
import { planChanges } from './plan-changes.ts';
import { nameOfObject } from './unmodelled.ts';

let current: TestDatabase;
let desired: TestDatabase;

beforeAll(async () => {
  [current, desired] = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(async () => void (await Promise.all([current.drop(), desired.drop()])));

async function run(url: string, sql: string): Promise<void> {
  const session = await openSession({ url, applicationName: 'test' });
  const statements = splitStatements(sql);
  await session.batch(statements.map(({ text }) => ({ text }))).finally(() => session.close());
}

const compare = (schemas?: readonly string[]) =>
  planChanges({ from: current.ownerUrl, to: desired.ownerUrl, schemas });

/** Statements of both databases, those of the desired one only, and a part of the expected statements. */
interface Change {
  before?: string;
  after: string;
  expected: RegExp;
  parts?: number;
}

const NOTES = 'create table public.notes (id bigint primary key, title text, owner uuid, hidden boolean);';

const CHANGES: Record<string, Change> = {
  'a table': {
    after: `create table public.todos (
        id bigint generated always as identity primary key, title text not null default 'none', at timestamptz default now())`,
    expected: /create table public\.todos/,
  },
  columns: {
    before: NOTES,
    after: `alter table notes add column body text not null default '', drop column hidden,
        alter column title type varchar(80), alter column owner set default gen_random_uuid()`,
    expected: /drop column hidden/i,
  },
  'a generated column': {
    after: 'alter table notes add column length int generated always as (length(body)) stored',
    expected: /generated always as \(length\(body\)\) stored/,
  },
  'an enum': {
    after: `create type color as enum ('red', 'green'); alter table notes add column color color default 'red'`,
    expected: /create type public\.color as enum/,
  },
  'a new value of an enum that a default uses': {
    after: `alter type color add value 'blue'; commit; begin; alter table notes alter column color set default 'blue'; commit`,
    expected: /add value 'blue'/i,
    parts: 2,
  },
  'a composite type and a domain': {
    after: `create type place as (street text, city text);
      create domain positive as int constraint is_positive check (value > 0)`,
    expected: /create domain public\.positive/,
  },
  constraints: {
    before: 'create table lists (id int primary key, name text);',
    after: `alter table notes add column list int references lists on delete cascade;
      alter table notes add constraint short check (length(title) < 80);
      alter table lists add constraint one_name unique nulls not distinct (name) deferrable initially deferred`,
    expected: /foreign key/i,
  },
  indexes: {
    after: `create index on notes using gin (to_tsvector('english', body));
      create unique index shown on notes (lower(title)) where owner is not null`,
    expected: /create unique index shown/,
  },
  'policies and row-level security': {
    after: `alter table notes enable row level security; alter table lists enable row level security;
      alter table lists force row level security;
      create policy own on notes for select to authenticated using ((select auth.uid()) = owner);
      create policy add on notes as restrictive for insert with check (owner = auth.uid())`,
    expected: /create policy own/,
  },
  'a renamed policy': { after: 'alter policy own on notes rename to mine', expected: /create policy mine/ },
  'a changed policy': { after: 'alter policy mine on notes using (true)', expected: /policy mine/ },
  'grants on tables': {
    after:
      'revoke all on notes from anon; revoke insert on lists from authenticated; grant select on notes to anon',
    expected: /grant select on (?:table )?public\.notes to anon/i,
  },
  'grants on a table and on its columns to one role': {
    before: 'create table secrets (id int, name text, value text);',
    after: `revoke all on secrets from anon, authenticated;
      grant delete on secrets to authenticated; grant select (id, name), update (name) on secrets to authenticated`,
    expected: /grant select \(id\)/i,
  },
  'a grant on a table whose grants on columns stay': {
    after: 'grant truncate on secrets to authenticated',
    expected: /truncate/i,
  },
  'a revoked grant on a table whose grants on columns stay': {
    after: 'revoke delete, truncate on secrets from authenticated',
    expected: /revoke all/i,
  },
  'functions that call each other': {
    after: `create function second(int) returns int language sql immutable as 'select $1';
      create function first(int) returns int language sql security definer set search_path = '' as 'select public.second($1)';
      create function add_note() returns trigger language plpgsql as $$ begin
        insert into public.notes (id, title) values (1, new.id::text); return new; end $$;
      revoke execute on function first(int) from public, anon`,
    expected: /function public\.add_note/,
  },
  'a procedure and an aggregate': {
    after: `create procedure clear() language sql as 'delete from public.notes';
      create aggregate total(int) (sfunc = int4pl, stype = int, initcond = '0')`,
    expected: /create aggregate public\.total/,
  },
  triggers: {
    after: `create function stamp() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger stamp before update of title on notes for each row when (old.title <> new.title) execute function stamp()`,
    expected: /create trigger stamp/,
  },
  'triggers on auth.users': {
    after: `create trigger on_user after insert on auth.users for each row execute function public.add_note();
      create trigger on_object after insert on storage.objects for each row execute function public.add_note()`,
    expected: /create trigger on_user[\s\S]* auth\.users/,
  },
  'policies of storage and realtime': {
    after: `create policy read on storage.objects for select to anon using (bucket_id = 'shared');
      create policy listen on realtime.messages for select to authenticated using (true);
      comment on policy read on storage.objects is 'Everyone reads.'`,
    expected: /create policy read[\s\S]* storage\.objects/,
  },
  'views with security_invoker': {
    after: `create view visible with (security_invoker = true, security_barrier) as select id, title from notes;
      create view counts as select count(*) from visible`,
    expected: /security_invoker/,
  },
  'a changed option of a view': {
    after: 'alter view counts set (security_invoker = on)',
    expected: /view public\.counts/,
  },
  'a materialized view with an index': {
    after: `create materialized view titles as select title, count(*) from notes group by title;
      create unique index on titles (title)`,
    expected: /create materialized view public\.titles/,
  },
  sequences: {
    after: `create sequence numbers as int increment 5 start 100 cache 2;
      create sequence owned; alter sequence owned owned by notes.id`,
    expected: /create sequence public\.numbers/,
  },
  comments: {
    after: `comment on table notes is 'It''s a note'; comment on column notes.title is 'Its title';
      comment on function second(int) is 'Second'; comment on schema public is 'Ours'`,
    expected: /comment on column public\.notes\.title/i,
  },
  'an extension and a column of its type': {
    after:
      'create extension citext with schema extensions; alter table lists add column tag extensions.citext',
    expected: /create extension citext/,
  },
  'an extension whose queues are data': {
    after: `create extension pgmq; select pgmq.create('tasks')`,
    expected: /create extension pgmq/,
  },
  publications: {
    after: `alter publication supabase_realtime add table notes;
      create publication changes for table lists where (id > 0) with (publish = 'insert')`,
    expected: /alter publication supabase_realtime add table/i,
  },
  'a schema with default privileges of the project': {
    after: `create schema api; grant usage on schema api to anon;
      alter default privileges in schema api grant select on tables to anon;
      alter default privileges in schema public revoke insert on tables from anon;
      create table api.things (id int)`,
    expected: /alter default privileges/i,
  },
  'a partitioned table': {
    after: `create table events (at date not null, name text) partition by range (at);
      create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')`,
    expected: /partition by range/i,
  },
  'names that need quotes': {
    after: `create table "Odd ""Name""" ("select" int, "Ünï" text); create index "My Index" on "Odd ""Name""" ("select")`,
    expected: /"Odd ""Name"""/,
  },
  'removed objects': {
    after: `drop table secrets, events, api.things; drop schema api; drop view counts, visible; drop materialized view titles;
      drop trigger on_user on auth.users; drop policy read on storage.objects; drop publication changes`,
    expected: /drop trigger on_user/,
  },
};

describe('the planned statements', { tags: ['trial'] }, () => {
  it.each(Object.entries(CHANGES))(
    'result in the desired schema: %s',
    async (_, { before = '', after, expected, parts = 1 }) => {
      await Promise.all([current, desired].map(({ ownerUrl }) => run(ownerUrl, before)));
      await run(desired.ownerUrl, after);
      const changes = await compare();
      const text = changes.parts.flat().map(({ sql }) => sql);
      expect(text.join(';\n')).toMatch(expected);
      expect(changes.parts).toHaveLength(parts);
    },
  );

  it('leave no difference behind', async () => {
    expect(await compare()).toEqual({ parts: [], skipsBodyChecks: false, unmodelled: [] });
  });

  it('are limited to the named schemas', async () => {
    await run(
      desired.ownerUrl,
      'create schema one; create schema two; create table one.a (); create table two.b ()',
    );
    const { parts } = await compare(['one']);
    expect(
      parts
        .flat()
        .map(({ sql }) => sql)
        .join('\n'),
    ).not.toMatch(/two/);
    expect((await compare(['one'])).parts).toEqual([]);
    expect((await compare(['two'])).parts.flat()).not.toEqual([]);
  });

  it('mark those that delete objects', async () => {
    await run(desired.ownerUrl, 'drop table one.a; create table two.c (); revoke all on lists from anon');
    const statements = (await compare()).parts.flat();
    const destructive = statements.filter(({ isDestructive }) => isDestructive).map(({ sql }) => sql);
    expect(destructive).toEqual(['drop table one.a']);
  });

  it('are refused if an object depends on a schema that is not compared', async () => {
    await run(desired.ownerUrl, `create type two.kind as enum ('a'); create table one.kinds (kind two.kind)`);
    await expect(compare(['one'])).rejects.toThrow(/^the change cannot be planned: .*two/s);
    await compare();
  });

  it('are refused if PostgreSQL does not accept one of them', async () => {
    await desired.run(
      `create function public.native(text) returns text language c as '$libdir/citext', 'citext_eq'`,
    );
    await desired.run('alter function public.native(text) owner to postgres');
    await expect(compare()).rejects.toThrow(
      /^a planned statement fails on a copy of the schema: permission denied for language c\n {2}create/,
    );
    await desired.run('drop function public.native(text)');
  });
});

describe('objects that are not compared', { tags: ['trial'] }, () => {
  it('are named, if only one database has them', async () => {
    await run(
      desired.ownerUrl,
      `create text search configuration simple_names (copy = simple);
       create statistics title_stats (dependencies) on id, title from notes;
       create function equal(color, text) returns boolean language sql as 'select $1::text = $2';
       create operator === (leftarg = color, rightarg = text, function = equal)`,
    );
    const { unmodelled } = await compare();
    expect(unmodelled.map(nameOfObject)).toEqual([
      'operator public.===(public.color,pg_catalog.text)',
      'statistics object public.title_stats',
      'text search configuration public.simple_names',
    ]);
    await run(current.ownerUrl, 'create text search configuration simple_names (copy = simple)');
    expect((await compare()).unmodelled.map(nameOfObject)).not.toContain(
      'text search configuration public.simple_names',
    );
    expect((await compare(['one'])).unmodelled).toEqual([]);
  });
});

describe('new databases', { tags: ['trial'] }, () => {
  it('have no objects of the project', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const { parts, unmodelled } = await planChanges({ from: one.ownerUrl, to: other.ownerUrl });
    await Promise.all([one.drop(), other.drop()]);
    expect({ parts, unmodelled }).toEqual({ parts: [], unmodelled: [] });
  });

  it('get one file for each object of the schema', async () => {
    const empty = await createTestDatabase();
    const { parts } = await planChanges({ from: empty.ownerUrl, to: desired.ownerUrl });
    await empty.drop();
    const paths = filesOfStatements(parts.flat()).map(({ path }) => path);
    expect(paths).toEqual(paths.toSorted());
    expect(paths).toEqual(
      expect.arrayContaining([
        '_cluster/extensions/citext.sql',
        '_cluster/publications.sql',
        'one/schema.sql',
        'public/default-privileges.sql',
        'public/functions/add_note.sql',
        'public/sequences/numbers.sql',
        'public/tables/notes.sql',
        'public/tables/Odd%20%22Name%22.sql',
        'public/types/color.sql',
        'realtime/tables/messages.sql',
        'storage/tables/objects.sql',
      ]),
    );
  });
});
