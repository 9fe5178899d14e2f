import { openSession, type Session } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { readVersions } from '../database/history.ts';
import { setUpProject } from '../set-up-project.ts';
import { createTestProject } from '../testing/project-folder.ts';
import { findEdited } from './find-edited.ts';
import { listMigrations } from './migration-files.ts';
import { planMigrations } from './plan.ts';

type TestProject = Awaited<ReturnType<typeof createTestProject>>;

let database: TestDatabase;
let session: Session;
let project: TestProject;
/** The statements of the last call. */
let sent: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  session = await openSession({ url: database.ownerUrl, applicationName: 'test' });
});
afterAll(async () => {
  await session.close();
  await database.drop();
});
beforeEach(async () => {
  await database.admin.query({ text: 'drop schema if exists supabase_migrations, public cascade' });
  await database.admin.query({ text: 'create schema public authorization postgres' });
  project = await createTestProject({
    'migrations/1_a.sql': 'create table a (id int);',
    'migrations/2_b.sql': '-- b\ncreate table b (id int);\n\ninsert into b values (1)',
  });
  await setUpProject({ url: database.ownerUrl, project, onProgress: () => {} });
});
afterEach(() => project[Symbol.asyncDispose]());

/** Returns the names of the edited files. */
async function find(): Promise<string[]> {
  sent = [];
  const recorded: Session = {
    ...session,
    batch: (statements) => {
      sent.push(...statements.map(({ text }) => text));
      return session.batch(statements);
    },
  };
  const { applied } = planMigrations((await listMigrations(project)).files, await readVersions(session));
  return (await findEdited(recorded, applied)).map(({ fileName }) => fileName);
}

const rows = (text: string) => database.admin.query({ text });
const verified = async () =>
  (await rows('select verified_migrations from greenroom.project'))[0]?.verified_migrations as object;
const comparisons = () => sent.filter((text) => text.includes("-> 'statements'")).length;

const UPDATE = "update supabase_migrations.schema_migrations set statements = '{other}' where version = '1'";

it('reads no statements of files that were applied from the same text', async () => {
  expect(await find()).toEqual([]);
  expect(sent).toEqual(['select verified_migrations from greenroom.project']);
});

it('compares a file whose text has changed, once if only space and semicolons have', async () => {
  await project.write('migrations/1_a.sql', '\uFEFFcreate table a (\n\u00a0 id int\n)\n;;');
  expect(await find()).toEqual([]);
  expect(comparisons()).toBe(1);
  expect(await find()).toEqual([]);
  expect(comparisons()).toBe(0);
});

it.each([
  ['a file was edited', () => project.write('migrations/1_a.sql', 'create table a (id bigint);')],
  ['an edited file cannot be split', () => project.write('migrations/1_a.sql', "select 'a")],
  ['a record was changed', () => rows(UPDATE)],
  [
    'a record was replaced',
    async () => {
      await rows("delete from supabase_migrations.schema_migrations where version = '1'");
      await rows("insert into supabase_migrations.schema_migrations values ('1', '{other}', 'a')");
    },
  ],
])('finds an edit each time if %s', async (_, change) => {
  await change();
  expect(await find()).toEqual(['1_a.sql']);
  expect(await find()).toEqual(['1_a.sql']);
  expect(Object.keys(await verified())).toEqual(['1', '2']);
});

it.each([
  ['none is known', '{}'],
  ['other texts and versions are known', '{"1": ["other", "3"], "9": ["text", "3"]}'],
])('compares all files if %s, and remembers them', async (_, json) => {
  const before = await verified();
  await rows(`update greenroom.project set verified_migrations = '${json}'`);
  expect(await find()).toEqual([]);
  expect(comparisons()).toBe(1);
  expect(await verified()).toEqual(before);
});

it('remembers the files of a history without statements', async () => {
  await rows('update supabase_migrations.schema_migrations set statements = null');
  await project.write('migrations/1_a.sql', 'select broken');
  expect(await find()).toEqual([]);
  await find();
  expect(comparisons()).toBe(0);
});
