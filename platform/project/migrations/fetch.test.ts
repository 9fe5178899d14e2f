import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from '../find-project.ts';
import { setUpProject } from '../set-up-project.ts';
import { createTestProject } from '../testing/project-folder.ts';
import { planFetch, writeFetched } from './fetch.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const setUp = async (project: Project) => {
  const lines: string[] = [];
  await setUpProject({ url: database.url, project, onProgress: (line) => lines.push(line) });
  return lines;
};
const fetchAll = async (project: Project) => {
  const plan = await planFetch(database.url, project);
  await writeFetched(project, plan.files);
  return plan;
};

const FILES = {
  'migrations/1_a.sql':
    "create table a (id int); -- first\ninsert into a values (1) -- one;\n;\nselect '--\n'",
  'migrations/2_b.sql': 'create function f() returns int begin atomic select 1; end;',
  'migrations/3_c.sql': 'copy a from stdin;\n2\n\\.\n',
};

describe('a fetch', () => {
  it('writes files that are equal to the applied ones', async () => {
    await using origin = await createTestProject(FILES);
    await setUp(origin);
    await using copy = await createTestProject();
    const { files, notes } = await fetchAll(copy);
    expect(files.map(({ fileName, isReplaced }) => [fileName, isReplaced])).toEqual([
      ['1_a.sql', false],
      ['2_b.sql', false],
      ['3_c.sql', false],
    ]);
    expect(notes).toEqual([]);
    expect(await setUp(copy)).toEqual([]);
    expect((await fetchAll(copy)).files).toEqual([]);
  });

  it('reports a file with another content, and keeps its name', async () => {
    await using project = await createTestProject(FILES);
    await setUp(project);
    await project.remove('migrations/1_a.sql');
    await project.write('migrations/1_renamed.sql', "select 'unclosed");
    const { files } = await fetchAll(project);
    expect(files).toMatchObject([{ fileName: '1_renamed.sql', isReplaced: true }]);
    expect(await readdir(join(project.supabaseFolder, 'migrations'))).toEqual([
      '1_renamed.sql',
      '2_b.sql',
      '3_c.sql',
    ]);
    expect(await readFile(join(project.supabaseFolder, 'migrations', '1_renamed.sql'), 'utf8')).toMatch(
      /^create table a \(id int\);\n-- first\n/,
    );
  });

  it('skips migrations whose statements the history does not have', async () => {
    await database.run('create schema supabase_migrations');
    await database.run('create table supabase_migrations.schema_migrations (version text primary key)');
    await database.run("insert into supabase_migrations.schema_migrations values ('1')");
    await using project = await createTestProject();
    expect(await fetchAll(project)).toEqual({
      files: [],
      notes: ['skipped 1: the history does not have its statements'],
    });
  });

  it.each([
    ['1', '../../escaped'],
    ['../1', 'name'],
  ])('rejects a history whose names leave the folder: %s %s', async (version, name) => {
    await using project = await createTestProject();
    await setUp(project);
    await database.run(
      `insert into supabase_migrations.schema_migrations values ('${version}', array['select 1'], '${name}')`,
    );
    await expect(planFetch(database.url, project)).rejects.toThrow(/cannot be that of a file/);
  });
});
