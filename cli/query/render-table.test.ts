/** The tables are compared with those of psql, if it is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { queryTexts } from '@greenroom/postgres';
import { createTestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RENDERERS } from './render-results.ts';

const hasPsql = spawnSync('psql', ['--version']).status === 0;

let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const QUERIES = [
  ['numbers and texts', `select 1 as id, 'a' as name, 2.50::numeric as price union all select 22, 'bb', 10`],
  ['NULL, booleans and times', `select null as empty, true as yes, date '2026-01-02' as day`],
  ['no rows', `select 1 as a where false`],
  ['one row of one column', `select 'x' as "a long name"`],
  ['values of several lines', `select E'a\\nbb\\n' as first, 1 as second, E'x\\ny' as third`],
  ['tabs and control characters', `select E'a\\tb' as tab, E'\\x01\\x1b[31m' as escape, E'a\\rb' as return`],
  ['wide and combining characters', `select '日本' as wide, U&'e\\0301' as combining, 'ab' as plain`],
  [
    'types of the catalog',
    `select 'pg_class'::regclass as class, 5::oid as oid, 1.5::float8 as f, array[1,2] as list`,
  ],
  ['two columns of one name', `select 1 as a, 2 as a`],
];

describe('a table', () => {
  it.skipIf(!hasPsql).each(QUERIES)('of %s equals that of psql', async (_, sql) => {
    const expected = execFileSync('psql', ['-X', '-c', sql, database.url], {
      encoding: 'utf8',
      env: { ...process.env, PGCLIENTENCODING: 'UTF8' },
    });
    const results = await queryTexts({
      url: database.url,
      sql,
      isReadOnly: true,
      applicationName: 'test',
      onNotice: () => undefined,
    });
    expect(RENDERERS.table(results)).toBe(expected);
  });
});
