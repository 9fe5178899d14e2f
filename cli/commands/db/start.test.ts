/** `greenroom db start --from-backup`. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

const BACKUP = `
create table public.a (id int primary key);
copy public.a (id) from stdin;
7
\\.
create schema supabase_migrations;
create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
insert into supabase_migrations.schema_migrations values ('1', null, 'a');
`;

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql': 'create table a (id int primary key);',
    'migrations/2_b.sql': 'create table b (id int);',
    'seed.sql': 'insert into a values (1);',
  });
});
afterAll(() => project[Symbol.asyncDispose]());

const restore = async (name: string, content: string | Buffer) => {
  await writeFile(join(project.folder, name), content);
  return project.run(['db', 'start', '--from-backup', name]);
};
const clusters = async () =>
  (await readdir(join(project.folder, '.greenroom'))).filter((name) => name.startsWith('postgres'));

/** Runs first, because the next test creates the database. */
it('db start creates no database if the backup has an error, and names its line', async () => {
  const { code, output, errors } = await restore('wrong.sql', `${BACKUP}\nselect nope;`);
  expect([code, output.includes('restored')]).toEqual([1, false]);
  expect(errors).toMatch(/^error: wrong\.sql, line 10: column "nope" does not exist \(SQLSTATE 42703\)\n/);
  expect(await clusters()).toEqual([]);
});

it('db start restores a compressed backup, and the instance starts with it', async () => {
  const { code, output, errors } = await restore('backup.sql.gz', gzipSync(BACKUP));
  expect([code, errors]).toEqual([0, '']);
  expect(output).toMatch(/^restored backup\.sql\.gz: 5 statements\nStart the instance: greenroom start\n$/m);
  const printed = await project.start();
  expect(printed).not.toMatch(/applying|seeding/);
  expect(printed).toContain('2_b.sql. Apply: greenroom migration up');
  expect(await project.query('select id from a')).toEqual([{ id: 7 }]);
  expect((await project.run(['migration', 'up'])).output).toContain('applying 2_b.sql');
});

it('db start does not replace a database, whether the instance runs or not', async () => {
  const refused = {
    code: 1,
    output: '',
    errors: expect.stringMatching(/has a database already, and a backup does not/),
  };
  expect(await restore('backup.sql', BACKUP)).toMatchObject(refused);
  await project.stop();
  expect(await restore('backup.sql', BACKUP)).toMatchObject(refused);
});
