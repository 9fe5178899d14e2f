/** Tables are copied between two databases of one server, as between a restored backup and the live database. */
import { withSystemSearchPath } from '@greenroom/postgres';
import { type CopySession, openCopySession } from '@greenroom/postgres/copy';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTable } from './find-table.ts';
import { nextStatements } from './next-statements.ts';
import { type RestoredTable, restoreTables } from './restore-tables.ts';
import { parseSelection, type TableSelection } from './selection.ts';

const TIME = '2026-11-27T10:15:00.123Z';
const SCHEMA = 'restored_20261127t101500z';

let backup: TestDatabase;
let live: TestDatabase;
let scratch: CopySession;

beforeEach(async () => {
  [backup, live] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  scratch = await openCopySession(withSystemSearchPath(backup.url), 'test');
});
afterEach(async () => {
  await scratch.close();
  await Promise.all([backup.drop(), live.drop()]);
});

async function run(database: TestDatabase, sql: string): Promise<Record<string, unknown>[]> {
  const session = await openCopySession(database.url, 'test');
  try {
    const results = await session.client.query(sql);
    return (Array.isArray(results) ? results.at(-1) : results).rows;
  } finally {
    await session.close();
  }
}

async function restore(...names: string[]): Promise<RestoredTable[]> {
  const session = await openCopySession(live.ownerUrl, 'test');
  try {
    const tables = [];
    for (const name of names) {
      const selection = parseSelection(name) as TableSelection;
      tables.push({ selection, table: await findTable(scratch, selection) });
    }
    const { signal } = new AbortController();
    return await restoreTables({ tables, scratch, live: session, time: TIME, id: 'b1', signal });
  } finally {
    await session.close();
  }
}

describe('a restored table', () => {
  it('has the rows of the backup, and their values do not change', async () => {
    await run(
      backup,
      `create table t (id bigint generated always as identity primary key, at timestamptz not null, day interval,
        number float8, bytes bytea, words text[], doc jsonb, twice bigint generated always as (id * 2) stored, code varchar(5));
      alter database ${new URL(backup.url).pathname.slice(1)} set datestyle = 'SQL, DMY';
      insert into t (at, day, number, bytes, words, doc, code) values
        ('2026-03-04 05:06:07.123456+00', '1 day 02:00', 0.1, '\\x00ff', '{a,"b,c",null}', '{"a": 1.50}', 'x');
      insert into t (at) values ('infinity');`,
    );
    const [table] = await restore('t');
    const all = 'select to_jsonb(t)::text as row from';
    expect(await run(live, `${all} ${SCHEMA}.t as t order by id`)).toEqual(
      await run(backup, `${all} t order by id`),
    );
    expect(table?.rows).toBe(2);
    const [columns] = await run(
      live,
      `select string_agg(format_type(atttypid, atttypmod), ', ' order by attnum) as types,
        bool_or(attnotnull or atthasdef or attidentity <> '' or attgenerated <> '') as "hasRules",
        obj_description(attrelid) as comment
      from pg_attribute where attrelid = '${SCHEMA}.t'::regclass and attnum > 0 group by attrelid`,
    );
    expect(columns).toEqual({
      types:
        'bigint, timestamp with time zone, interval, double precision, bytea, text[], jsonb, bigint, character varying(5)',
      hasRules: false,
      comment: `Rows of public.t at ${TIME}, of the backup b1`,
    });
  });

  it('can have quotes, dots and any letters in its names', async () => {
    const create = `create schema "My ""Shop"""; create table "My ""Shop"""."Say ""hi"".you" ("a ""b""" int, "select" text)`;
    await run(backup, `${create}; insert into "My ""Shop"""."Say ""hi"".you" values (1, 'x')`);
    await run(live, create);
    const [table] = await restore('"My ""Shop"""."Say ""hi"".you"');
    const name = `${SCHEMA}."Say ""hi"".you"`;
    expect(await run(live, `select * from ${name}`)).toEqual([{ 'a "b"': 1, select: 'x' }]);
    for (const line of table === undefined ? [] : nextStatements(table)) await run(live, line);
    expect(await run(live, `select * from "My ""Shop"""."Say ""hi"".you"`)).toEqual([
      { 'a "b"': 1, select: 'x' },
    ]);
  });

  it('has rows that policies hide, and rows of all partitions, but not those of children by inheritance', async () => {
    await run(
      backup,
      `create table hidden (id int); insert into hidden values (1); alter table hidden enable row level security;
      alter table hidden force row level security;
      create table parts (id int) partition by range (id);
      create table parts_1 partition of parts for values from (0) to (10);
      create table parts_2 partition of parts default;
      insert into parts values (1), (20);
      create table parent (id int); create table child () inherits (parent);
      insert into parent values (1); insert into child values (2);`,
    );
    const restored = await restore('hidden', 'parts', 'parts_2', 'parent');
    expect(restored.map(({ rows }) => rows)).toEqual([1, 2, 1, 1]);
  });

  it('gets a number if an earlier restore has created it, and the schema has no rights for others', async () => {
    await run(backup, 'create table t (id int); insert into t values (1)');
    await run(
      live,
      `create role r_${process.pid}; alter default privileges for role postgres grant all on tables to r_${process.pid}, public;
      alter default privileges for role postgres grant all on schemas to r_${process.pid}`,
    );
    try {
      const [first] = await restore('t');
      const [second] = await restore('t');
      expect([first?.table, second?.table]).toEqual([`${SCHEMA}.t`, `${SCHEMA}.t_2`]);
      const [rights] = await run(
        live,
        `select (select count(*)::int from pg_namespace, aclexplode(nspacl) a where nspname = '${SCHEMA}' and a.grantee <> nspowner)
          + (select count(*)::int from pg_class, aclexplode(relacl) a
            where relnamespace = '${SCHEMA}'::regnamespace and a.grantee <> relowner) as others`,
      );
      expect(rights).toEqual({ others: 0 });
    } finally {
      await run(live, `drop owned by r_${process.pid}; drop role r_${process.pid}`);
    }
  });

  it('is not in a schema that has another origin, because others may have rights there', async () => {
    await run(backup, 'create table t (id int)');
    await run(live, `create schema ${SCHEMA}`);
    const [table] = await restore('t');
    expect(table?.table).toBe(`${SCHEMA}_2.t`);
  });

  it('is absent as a whole if one of several tables fails', async () => {
    const create = (
      result: boolean,
    ) => `create function accepts(int) returns boolean immutable return ${result};
      create domain number as int check (accepts(value));`;
    await run(
      backup,
      `${create(true)} create table a (id int); create table b (id number); insert into b values (1)`,
    );
    await run(live, create(false));
    await expect(restore('a', 'b')).rejects.toThrow('violates check constraint');
    expect(await run(live, `select from pg_namespace where nspname = '${SCHEMA}'`)).toEqual([]);
  });

  it('can have no columns', async () => {
    await run(
      backup,
      'create table empty (); insert into empty default values; insert into empty default values',
    );
    const [table] = await restore('empty');
    expect(table?.rows).toBe(2);
  });
});

describe('a column whose type', () => {
  const TYPES = `create type mood as enum ('good', 'bad'); create type pair as (a int, b mood);
    create domain short as text check (length(value) < 9); create type span as range (subtype = int);
    create table t (m mood, ms mood[], p pair, s short, r span, c regclass);
    insert into t values ('good', '{bad,good}', '(1,good)', 'abc', '[1,3)', 'pg_class');`;
  const typesOf = () =>
    run(
      live,
      `select string_agg(format_type(atttypid, atttypmod), ' ' order by attnum) as types from pg_attribute
        where attrelid = '${SCHEMA}.t'::regclass and attnum > 0`,
    );
  const TEXTS = { m: 'good', ms: '{bad,good}', p: '(1,good)', s: 'abc', r: '[1,3)', c: 'pg_class' };

  it('exists unchanged keeps it, and names of objects are text', async () => {
    await run(backup, TYPES);
    await run(live, TYPES);
    await run(live, `alter type mood add value 'new'`);
    const [table] = await restore('t');
    expect(await typesOf()).toEqual([{ types: 'mood mood[] pair short span text' }]);
    expect(table?.converted).toEqual([
      { column: 'c', reason: 'values of pg_catalog.regclass name objects that may not exist any more' },
    ]);
    for (const line of table === undefined ? [] : nextStatements(table)) await run(live, line);
    expect(await run(live, 'select count(*)::int from t')).toEqual([{ count: 2 }]);
  });

  it('does not exist any more is text', async () => {
    await run(backup, TYPES);
    const [table] = await restore('t');
    expect(await run(live, `select * from ${SCHEMA}.t`)).toEqual([TEXTS]);
    expect(table?.converted[0]).toEqual({
      column: 'm',
      reason: 'the type public.mood does not exist any more',
    });
  });

  it('has a constraint that was never validated is text', async () => {
    const [create, add] = [
      'create domain positive as int;',
      'alter domain positive add check (value > 0) not valid;',
    ];
    await run(backup, `${create} create table t (n positive); insert into t values (-1); ${add}`);
    await run(live, create + add);
    await restore('t');
    expect(await run(live, `select * from ${SCHEMA}.t`)).toEqual([{ n: '-1' }]);
  });

  it('has changed is text, with a reason', async () => {
    await run(backup, TYPES);
    await run(
      live,
      `create type mood as enum ('good'); create type pair as (a int); create domain short as text check (length(value) < 3);
      create type span as range (subtype = bigint)`,
    );
    const [table] = await restore('t');
    expect(await run(live, `select * from ${SCHEMA}.t`)).toEqual([TEXTS]);
    expect(table?.converted.map(({ reason }) => reason)).toEqual([
      `the enum public.mood has no value 'bad' any more`,
      `the enum public.mood has no value 'bad' any more`,
      'the type public.pair has changed',
      'the type public.short has changed',
      'the type public.span has changed',
      expect.stringContaining('regclass'),
    ]);
  });
});

describe('a publication of all tables', () => {
  it('does not receive restored rows, and the table is permanent', async () => {
    await run(backup, 'create table t (id int); insert into t select generate_series(1, 100)');
    await run(live, 'create table noise (id int); create publication everything for all tables');
    await run(live, `select pg_create_logical_replication_slot('part_${process.pid}', 'pgoutput')`);
    try {
      await restore('t');
      await run(live, 'insert into noise values (1)');
      const changes = await run(
        live,
        `select chr(get_byte(data, 0)) as kind from pg_logical_slot_get_binary_changes('part_${process.pid}', null, null,
          'proto_version', '1', 'publication_names', 'everything')`,
      );
      expect(changes.filter(({ kind }) => kind === 'I')).toHaveLength(1);
      const [table] = await run(
        live,
        `select relpersistence as kind, (select count(*)::int from ${SCHEMA}.t) as rows from pg_class where oid = '${SCHEMA}.t'::regclass`,
      );
      expect(table).toEqual({ kind: 'p', rows: 100 });
    } finally {
      await run(live, `select pg_drop_replication_slot('part_${process.pid}')`);
    }
  });
});

describe('the statements after a restore', () => {
  const TODOS = `create table todos (id bigint generated always as identity primary key, title text, done boolean,
    upper text generated always as (upper(title)) stored);`;

  async function statements(): Promise<string[]> {
    const [table] = await restore('todos');
    return table === undefined ? [] : nextStatements(table);
  }

  it('return deleted rows, and keep rows that exist', async () => {
    await run(backup, `${TODOS} insert into todos (title) values ('a'), ('b')`);
    await run(
      live,
      `${TODOS} insert into todos (title) values ('a'), ('b'); delete from todos where id = 1;
      update todos set title = 'new'`,
    );
    const lines = await statements();
    expect(lines).toEqual([
      `insert into public.todos (id, title, done) overriding system value select id, title, done from ${SCHEMA}.todos on conflict (id) do nothing;`,
    ]);
    await run(live, lines.join('\n'));
    expect(await run(live, 'select title, upper from todos order by id')).toEqual([
      { title: 'a', upper: 'A' },
      { title: 'new', upper: 'NEW' },
    ]);
  });

  it('fit to a table that was altered: other types, dropped and new columns', async () => {
    await run(backup, `${TODOS} insert into todos (title, done) values ('1', true)`);
    await run(live, 'create table todos (id bigint primary key, title int, added text)');
    const lines = await statements();
    expect(lines).toEqual([
      '-- public.todos has no column done any more.',
      `insert into public.todos (id, title) select id, title::integer from ${SCHEMA}.todos on conflict (id) do nothing;`,
    ]);
    await run(live, lines.join('\n'));
    expect(await run(live, 'select * from todos')).toEqual([{ id: '1', title: 1, added: null }]);
  });

  it('say that a table was dropped, and work when it was created again', async () => {
    await run(backup, `${TODOS} insert into todos (title) values ('a')`);
    const lines = await statements();
    expect(lines[0]).toBe('-- public.todos does not exist any more. Create it first, e.g. by its migration.');
    await run(live, TODOS + lines.join('\n'));
    expect(await run(live, 'select title from todos')).toEqual([{ title: 'a' }]);
  });

  it('warn about a table without a primary key, and about a view in its place', async () => {
    await run(backup, 'create table todos (id int)');
    await run(live, 'create table todos (id int)');
    expect((await statements())[0]).toBe(
      '-- public.todos has no primary key: rows that it still has may be added a second time.',
    );
    await run(live, 'drop table todos; create view todos as select 1 as id');
    expect(await statements()).toEqual(['-- public.todos is not a table any more.']);
  });
});

describe('findTable', () => {
  it.each([
    [
      'public.missing',
      'the backup has no table public.missing. It has: public.partly, public.todos, public.unlogged',
    ],
    ['todo', 'the backup has no table public.todo. Similar: public.todos'],
    ['a_view', 'public.a_view is a view, which has no rows.'],
    [
      'a_summary',
      'public.a_summary is a materialized view, whose rows come from tables. Restore these tables.',
    ],
    ['a_sequence', 'public.a_sequence is a sequence, not a table.'],
    ['an_index', 'public.an_index is not a table.'],
    ['unlogged', 'public.unlogged is unlogged or has an unlogged partition'],
    ['partly', 'public.partly is unlogged or has an unlogged partition'],
    ['pg_catalog.pg_class', 'pg_catalog.pg_class belongs to PostgreSQL itself.'],
  ])('rejects %s with a reason', async (name, message) => {
    await run(
      backup,
      `create table todos (id int); create view a_view as select 1 as id; create sequence a_sequence;
      create materialized view a_summary as select 1 as id; create index an_index on todos (id);
      create unlogged table unlogged (id int); create table partly (id int) partition by list (id);
      create unlogged table partly_1 partition of partly default;`,
    );
    await expect(findTable(scratch, parseSelection(name) as TableSelection)).rejects.toThrow(message);
  });
});
