import { describe, expect, it } from 'vitest';
import { readDumpOptions } from './dump-options.ts';

describe('options of db dump', () => {
  it.each([
    [{}, { kind: 'schema', schemas: undefined, keepsComments: false, isDryRun: false }],
    [
      { 'data-only': true, exclude: ['public.a,public.b'] },
      { kind: 'data', excludedTables: ['public.a', 'public.b'] },
    ],
    [{ 'role-only': true }, { kind: 'roles' }],
    [
      { schema: ['a, b', 'c'], 'keep-comments': true },
      { schemas: ['a', 'b', 'c'], keepsComments: true },
    ],
    [{ 'db-url': 'postgres://ada@example.org/db' }, { databaseUrl: 'postgres://ada@example.org/db' }],
  ])('%j are accepted', (values, options) => {
    expect(readDumpOptions(values)).toMatchObject(options);
  });

  it.each([
    [{ 'data-only': true, 'role-only': true }, 'use either --data-only or --role-only.'],
    [{ 'data-only': true, 'keep-comments': true }, 'use either --data-only or --keep-comments.'],
    [{ 'role-only': true, schema: ['a'] }, 'use either --role-only or --schema.'],
    [{ exclude: ['a'] }, '--exclude requires --data-only.'],
    [{ schema: ['a,'] }, '--schema requires names separated by commas.'],
    [{ 'db-url': 'nowhere' }, '--db-url requires a connection URL'],
    [{ file: '' }, '--file requires the path of a file'],
  ])('%j are rejected', (values, message) => {
    expect(() => readDumpOptions(values)).toThrow(message);
  });
});
