import { chmod, mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, openDatabase, openSession, startEmbeddedPostgres } from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkDatabase, checkedText } from './check-database.ts';

const PAGE_BYTES = 8192;

let folder: string;
let postgres: EmbeddedPostgres;

const start = () =>
  startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
const check = (signal = new AbortController().signal) =>
  checkDatabase({ urls: { admin: postgres.superuser.localUrl, owner: postgres.localUrl }, signal });

const run = (...statements: string[]) => runAs(postgres.superuser.localUrl, statements);
const runAsOwner = (...statements: string[]) => runAs(postgres.localUrl, statements);

async function runAs(url: string, statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  try {
    let rows: Record<string, unknown>[] = [];
    for (const text of statements) rows = await database.query({ text });
    return rows;
  } finally {
    await database.close();
  }
}

/** Changes the file of a table while the server is stopped, so that no page is in memory. */
async function changeFile(table: string, change: (path: string) => Promise<void>): Promise<void> {
  const [{ path } = {}] = await run('checkpoint', `select pg_relation_filepath('${table}') as path`);
  await postgres.stop();
  await change(join(folder, 'postgres', String(path)));
  postgres = await start();
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-checked-'));
  await chmod(folder, 0o711);
  postgres = await start();
  // As the migrations of the platform do.
  await run('grant pg_read_all_data to postgres', 'alter role postgres bypassrls');
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a check', () => {
  it('counts indexes, tables and rows, and leaves nothing in the database', async () => {
    const empty = await check();
    expect(empty.problems).toEqual([]);
    await run(
      'create table public."Odd ""name" (id int primary key, large text)',
      `insert into public."Odd ""name"
        select id, (select string_agg(md5(id::text || n), '') from generate_series(1, 200) n)
        from generate_series(1, 70) id`,
      'create table public.without_index as select id from generate_series(1, 30) id',
      'create table public.parent (id int) partition by range (id)',
      'create table public.child partition of public.parent for values from (1) to (100)',
      'insert into public.parent values (7)',
      'create unlogged table public.unlogged as select 1 as id',
    );
    const { indexes, tables, rows, problems } = await check();
    expect([tables - empty.tables, rows - empty.rows, problems]).toEqual([3, 101, []]);
    // The index of the key, and that of large values.
    expect(indexes - empty.indexes).toBeGreaterThanOrEqual(2);
    expect(await run(`select from pg_namespace where nspname = 'greenroom_check'`)).toEqual([]);
  });

  it('names each index that lacks a row of its table', async () => {
    const sortKey = (result: string) =>
      run(
        `create or replace function public.sort_key(int) returns int language sql immutable return ${result}`,
      );
    await sortKey('$1');
    await run(
      'create table public.notes as select id from generate_series(1, 100) id',
      'create index notes_id on public.notes (id)',
      'create index notes_sort_key on public.notes (public.sort_key(id))',
    );
    expect((await check()).problems).toEqual([]);
    // The index has the keys of before.
    await sortKey('-$1');
    expect((await check()).problems).toEqual([
      expect.stringMatching(/^index (public\.)?notes_sort_key: heap tuple .* lacks matching/),
    ]);
    await run('drop table public.notes');
  });

  it('names a table whose file has lost its end', async () => {
    await run(
      'create table public.shortened as select id from generate_series(1, 10000) id',
      'create index on public.shortened (id)',
      // The scan of an index then trusts it, and does not look for the page.
      'vacuum public.shortened',
    );
    await changeFile('public.shortened', (path) => truncate(path, 3 * PAGE_BYTES));
    expect((await check()).problems).toEqual([
      expect.stringMatching(
        /^table public\.shortened: a scan of the table finds \d{3} rows, a scan of its index 10000$/,
      ),
    ]);
    await run('drop table public.shortened');
  });

  it('names a table with a damaged page, also one without an index', async () => {
    await run('create table public.damaged as select id from generate_series(1, 10000) id');
    await changeFile('public.damaged', async (path) => {
      const file = await open(path, 'r+');
      await file.write(Buffer.alloc(100, 1), 0, 100, PAGE_BYTES + 4000);
      await file.close();
    });
    const { problems } = await check();
    expect(problems).toContainEqual(
      expect.stringMatching(/^table public\.damaged: invalid page in block 1 of relation/),
    );
    expect(problems.filter((problem) => !problem.startsWith('table public.damaged'))).toEqual([]);
    await run('drop table public.damaged');
  });

  it('names a table whose large values are missing', async () => {
    await run(
      'create table public.documents (id int primary key, text text)',
      `insert into public.documents
        select 1, (select string_agg(md5(n::text), '') from generate_series(1, 1000) n)`,
    );
    const [{ toast } = {}] = await run(
      `select reltoastrelid::regclass::text as toast from pg_class where oid = 'public.documents'::regclass`,
    );
    await changeFile(String(toast), (path) => truncate(path, 0));
    const { problems } = await check();
    expect(problems).toContainEqual(expect.stringMatching(/^table public\.documents: /));
    await run('drop table public.documents');
  });

  it('runs no function of the project as a superuser', async () => {
    await runAsOwner(
      `create function public.refuse_superuser(int) returns int language plpgsql immutable as $$
        begin
          if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
            raise exception 'runs as a superuser';
          end if;
          return 1;
        end $$`,
      'create table public.planned as select id from generate_series(1, 10) id',
      'create index on public.planned using hash (public.refuse_superuser(1))',
      'create index on public.planned (public.refuse_superuser(id))',
      'create statistics public.planned_st on (public.refuse_superuser(2)), id from public.planned',
      'analyze public.planned',
    );
    await expect(run('select count(*) from public.planned')).rejects.toThrow('runs as a superuser');
    expect(await check()).toMatchObject({ problems: [], unchecked: [] });
    await run('drop table public.planned');
  });

  it('does not report a good database with settings, objects and functions of the project', async () => {
    await run(
      // They fail or hinder statements of other sessions.
      `alter database postgres set statement_timeout = '20ms'`,
      'alter database postgres set default_transaction_read_only = on',
      'set default_transaction_read_only = off',
      'create schema greenroom_check',
      'create schema helpers',
      'create extension amcheck schema helpers',
      `create function public.refuse_ddl() returns event_trigger language plpgsql
        as $$ begin raise exception 'no statements that change tables'; end $$`,
      `create function helpers.plain(text) returns text language sql immutable as 'select $1'`,
      `create function public.slug(value text) returns text language plpgsql immutable
        as $$ begin return plain(value); end $$`,
      'create table public.large as select id from generate_series(1, 200000) id',
      'create index on public.large (id)',
      'create table public.posts (title text)',
      'set search_path = public, helpers',
      'create index posts_slug on public.posts (public.slug(title))',
      `insert into public.posts values ('A title')`,
      'create materialized view public.empty_view as select 1 as id with no data',
      'create event trigger refuse_ddl on ddl_command_start execute function public.refuse_ddl()',
    );
    const { problems, unchecked } = await check();
    await run(
      'set statement_timeout = 0',
      'set default_transaction_read_only = off',
      'drop event trigger refuse_ddl',
      'alter database postgres reset all',
      'drop schema greenroom_check',
      'drop schema helpers cascade',
      'drop table public.posts, public.large',
      'drop materialized view public.empty_view',
    );
    expect(problems).toEqual([]);
    expect(unchecked).toEqual(['index public.posts_slug: function plain(text) does not exist']);
  });

  it('ends when it is interrupted before it starts, while it connects and while a statement runs', async () => {
    const reason = new Error('interrupted');
    await expect(check(AbortSignal.abort(reason))).rejects.toBe(reason);

    const connecting = new AbortController();
    const connects = check(connecting.signal);
    connecting.abort(reason);
    await expect(connects).rejects.toBe(reason);

    await run('create table public.locked (id int)');
    const session = await openSession({ url: postgres.superuser.localUrl, applicationName: 'test' });
    await session.batch([{ text: 'begin' }, { text: 'lock table public.locked' }]);
    const reading = new AbortController();
    const reads = check(reading.signal);
    await vi.waitFor(async () => expect(await run('select from pg_locks where not granted')).toHaveLength(1));
    reading.abort(reason);
    await expect(reads).rejects.toBe(reason);
    await session.close();
  });
});

it('a check is described by its numbers', () => {
  expect(checkedText({ indexes: 371, tables: 1, rows: 0 })).toBe('371 indexes, 1 table with 0 rows');
});
