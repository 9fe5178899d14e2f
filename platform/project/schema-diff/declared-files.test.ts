import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseSqlFile } from '../sql/sql-file.ts';
import { createTestProject } from '../testing/project-folder.ts';
import { applyDeclaredFiles, readDeclaredFiles } from './declared-files.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const parse = (files: Record<string, string>) =>
  Object.entries(files).map(([path, sql]) => parseSqlFile(path, sql));

it('applies files that refer to each other, whatever their order', async () => {
  await applyDeclaredFiles(
    database.ownerUrl,
    parse({
      'a.sql': `set search_path = app; create table authors (id int primary key);
        alter table authors add column favorite int references books;`,
      'b.sql': `create table app.books (id int primary key, author int references app.authors);
        create function app.count_notes() returns bigint language sql as 'select count(*) from app.notes';`,
      'c.sql': 'create schema app; create table app.notes ();',
    }),
  );
  const tables = await database.admin.query({
    text: `select relname from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r' order by 1`,
  });
  expect(tables.map(({ relname }) => relname)).toEqual(['authors', 'books', 'notes']);
});

it('reports the place of a statement that never succeeds', async () => {
  const files = parse({
    'a.sql': 'create table a ();\n\ncreate table b (id nope);',
    'b.sql': 'create table c ();',
  });
  await expect(applyDeclaredFiles(database.ownerUrl, files)).rejects.toThrow(
    /^a\.sql, line 3, statement 2: type "nope" does not exist/,
  );
});

it('reads the files of globs once, in their order', async () => {
  await using project = await createTestProject({
    'schemas/b.sql': 'select 2;',
    'schemas/a/c.sql': 'select 1;',
    'schemas/notes.md': 'no SQL',
  });
  const files = await readDeclaredFiles(project, ['schemas/b.sql', 'schemas/**/*.sql']);
  expect(files.map(({ path }) => path)).toEqual(['supabase/schemas/b.sql', 'supabase/schemas/a/c.sql']);
  await expect(readDeclaredFiles(project, ['none/*.sql'])).rejects.toThrow(
    /no file of the declared schema matches "none\/\*\.sql"\. Paths and globs are relative to /,
  );
});
