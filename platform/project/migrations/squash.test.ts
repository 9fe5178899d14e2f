import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../find-project.ts';
import { setUpProject } from '../set-up-project.ts';
import { createTestProject } from '../testing/project-folder.ts';
import { planSquash, squashFiles, squashHistory, tryMigration } from './squash.ts';

let database: TestDatabase;
let trial: TestDatabase;

beforeAll(async () => {
  trial = await createTestDatabase();
});
afterAll(() => trial.drop());
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const setUp = (project: Project) => setUpProject({ url: database.url, project, onProgress: () => {} });
const versions = async () =>
  (await database.admin.query({ text: 'select version from supabase_migrations.schema_migrations' })).map(
    ({ version }) => version,
  );
const names = (project: Project) => readdir(join(project.supabaseFolder, 'migrations'));
const content = (project: Project, name: string) =>
  readFile(join(project.supabaseFolder, 'migrations', name), 'utf8');

const FILES = {
  'migrations/1_a.sql': "set search_path = '';\ncreate table public.a (id int) -- the first",
  'migrations/2_b.sql': 'create table b ();\ninsert into a values (1);\n-- end\n',
  'migrations/3_c.sql': 'create table c ();',
};

describe('a squash', () => {
  it('joins the statements in their order, each file with the default settings', async () => {
    await using project = await createTestProject(FILES);
    await setUp(project);
    const squash = await planSquash(project, '2');
    await tryMigration(trial.url, squash);
    expect(await trial.admin.query({ text: 'select id from public.a' })).toEqual([{ id: 1 }]);
    await squashHistory(database.url, squash);
    expect(await names(project)).toEqual(['2_b.sql', '3_c.sql']);
    expect(await content(project, '2_b.sql')).toBe(
      `-- 1_a.sql\nset search_path = '';\ncreate table public.a (id int) -- the first\n;\n` +
        'reset session authorization;\nreset all;\n\n' +
        '-- 2_b.sql\ncreate table b ();\ninsert into a values (1);\n-- end\n;\n',
    );
    expect(await versions()).toEqual(['3', '2']);
  });

  it('leaves a project that the next start accepts without a warning', async () => {
    await using project = await createTestProject(FILES);
    await setUp(project);
    await squashHistory(database.url, await planSquash(project, undefined));
    const lines: string[] = [];
    await setUpProject({ url: database.url, project, onProgress: (line) => lines.push(line) });
    expect(lines).toEqual([]);
    expect(await versions()).toEqual(['3']);
    expect(await names(project)).toEqual(['3_c.sql']);
  });

  it('joins the files of a project that was never applied', async () => {
    await using project = await createTestProject(FILES);
    await squashFiles(await planSquash(project, undefined));
    expect(await names(project)).toEqual(['3_c.sql']);
    await setUp(project);
    expect(await versions()).toEqual(['3']);
  });

  it('is refused if a new database rejects the joined file', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table k (id int)',
      'migrations/2_b.sql': 'create index concurrently on k (id)',
    });
    await expect(tryMigration(database.url, await planSquash(project, undefined))).rejects.toThrow(
      /no file was changed. In the joined file:\nsupabase\/migrations\/2_b.sql, line 5, statement 2: CREATE INDEX CONCURRENTLY cannot/,
    );
    expect(await names(project)).toEqual(['1_a.sql', '2_b.sql']);
  });

  it.each<[string, (project: Awaited<ReturnType<typeof createTestProject>>) => Promise<void>, RegExp]>([
    [
      'some of the migrations are not applied',
      (project) => project.write('migrations/4_d.sql', 'create table d ()'),
      /it lacks 4_d.sql. Apply them first: greenroom migration up/,
    ],
    [
      'a file was edited since',
      (project) => project.write('migrations/3_c.sql', 'create table other ()'),
      /3_c.sql was edited after being applied. First apply the new content to a new database: greenroom db reset/,
    ],
  ])('changes nothing if %s', async (_, change, message) => {
    await using project = await createTestProject(FILES);
    await setUp(project);
    await change(project);
    const before = await names(project);
    await expect(squashHistory(database.url, await planSquash(project, undefined))).rejects.toThrow(message);
    expect(await names(project)).toEqual(before);
    expect(await content(project, '2_b.sql')).toBe(FILES['migrations/2_b.sql']);
    expect((await versions()).length).toBe(3);
  });

  it.each([
    ['a version without a file', FILES, '9', /no file with the version 9/],
    ['a project without migrations', {}, undefined, /has no migrations/],
    [
      'a file that cannot be split',
      { ...FILES, 'migrations/4_d.sql': "select '" },
      undefined,
      /4_d.sql, line 1/,
    ],
  ])('rejects %s', async (_, files, version, message) => {
    await using project = await createTestProject(files);
    await expect(planSquash(project, version)).rejects.toThrow(message);
  });

  it('of the first migration has nothing to join', async () => {
    await using project = await createTestProject(FILES);
    expect((await planSquash(project, '1')).merged).toEqual([]);
  });
});
