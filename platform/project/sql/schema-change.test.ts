import { describe, expect, it } from 'vitest';
import { mayChangeSchema } from './schema-change.ts';
import { splitStatements } from './split.ts';

function recognized(sql: string): boolean[] {
  return splitStatements(sql).map(mayChangeSchema);
}

describe('mayChangeSchema', () => {
  it.each([
    'create table t (id int)',
    'create or replace view temp as select 1',
    'create view temp as select 1',
    'CREATE unique index concurrently on t (id)',
    'alter table t add column b int',
    'drop function f()',
    "comment on table t is 'x'",
    'grant select on t to anon',
    'revoke all on t from anon',
    'import foreign schema s from server f into public',
    "do $$ begin execute 'create table t (id int)'; end $$",
    '/* create temp */ create policy p on t',
    'explain analyze create table t as select 1',
    'explain (verbose, buffers, wal, analyze) create table t as select 1',
  ])('recognizes: %s', (sql) => {
    expect(recognized(sql)).toEqual([true]);
  });

  it.each([
    'select 1',
    "insert into t values ('create table')",
    'update t set a = 1',
    'create temp table t (id int)',
    'create or replace temporary view v as select 1',
    'alter system set work_mem = 1',
    'vacuum t',
    'truncate t',
    'call create_things()',
    'explain analyze select 1',
    'explain create table t as select 1',
    "explain analyze select 'create'",
    '-- drop table t',
  ])('does not recognize: %s', (sql) => {
    expect(recognized(sql)).not.toContain(true);
  });
});
