import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestProject } from '../testing/project-folder.ts';
import { requireSameHistory } from './pull.ts';
import { type PushOptions, planPush, push } from './push.ts';

let database: TestDatabase;
let lines: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  lines = [];
});
afterEach(() => database.drop());

const FILES = {
  'migrations/1_a.sql': 'create table a (id int)',
  'migrations/2_b.sql': 'create table b (id int)',
  'seed.sql': 'insert into a values (1)',
};

const optionsFor = (project: PushOptions['project'], changed: Partial<PushOptions> = {}): PushOptions => ({
  url: database.ownerUrl,
  project,
  includesEarlier: false,
  includesRoles: false,
  seedPaths: [],
  secrets: undefined,
  onProgress: (line) => lines.push(line),
  ...changed,
});

const tables = async () =>
  (
    await database.admin.query({
      text: `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
    })
  ).map(({ relname }) => relname);

describe('push', () => {
  it('applies the pending migrations and records them', async () => {
    await using project = await createTestProject(FILES);
    expect(await push(optionsFor(project))).toBe(2);
    expect(await tables()).toEqual(['a', 'b']);
    expect(lines).toEqual(['applying 1_a.sql', 'applying 2_b.sql']);
    expect(await push(optionsFor(project))).toBe(0);
  });

  it('keeps the migrations before one that fails, and nothing of that one', async () => {
    await using project = await createTestProject({
      ...FILES,
      'migrations/2_b.sql': 'create table b (); select nope',
    });
    await expect(push(optionsFor(project))).rejects.toThrow(
      /^supabase\/migrations\/2_b\.sql, line 1, statement 2: column "nope" does not exist/,
    );
    expect(await tables()).toEqual(['a']);
    await project.write('migrations/2_b.sql', 'create table b ()');
    expect(await push(optionsFor(project))).toBe(1);
  });

  it('applies each migration once if two commands push at the same time', async () => {
    await using project = await createTestProject(FILES);
    const counts = await Promise.all([push(optionsFor(project)), push(optionsFor(project))]);
    expect(counts.toSorted()).toEqual([0, 2]);
  });

  it('runs each seed once, and names those that have changed since', async () => {
    await using project = await createTestProject(FILES);
    const options = optionsFor(project, { seedPaths: ['seed.sql'] });
    await push(options);
    await push(options);
    expect(await database.admin.query({ text: 'select id from a' })).toEqual([{ id: 1 }]);
    await project.write('seed.sql', 'insert into a values (2)');
    expect(await planPush(options)).toMatchObject({
      seeds: [],
      notes: ['supabase/seed.sql has changed since it ran; it does not run again'],
    });
  });

  it('runs the file of roles first', async () => {
    await using project = await createTestProject({ ...FILES, 'roles.sql': 'create schema roles_were_here' });
    await push(optionsFor(project, { includesRoles: true }));
    expect(lines[0]).toBe('running supabase/roles.sql');
    await project.write('roles.sql', 'select nope');
    await expect(push(optionsFor(project, { includesRoles: true }))).rejects.toThrow(
      /^supabase\/roles\.sql, line 1, statement 1: column "nope" does not exist/,
    );
    await project.remove('roles.sql');
    await expect(planPush(optionsFor(project, { includesRoles: true }))).rejects.toThrow(
      'supabase/roles.sql does not exist',
    );
  });

  it('names the commands for the other database if files and history differ', async () => {
    await using project = await createTestProject(FILES);
    await push(optionsFor(project));
    await project.remove('migrations/2_b.sql');
    await expect(planPush(optionsFor(project))).rejects.toThrow(
      'greenroom migration repair --status reverted 2 --db-url <url>',
    );
    await project.write('migrations/2_b.sql', FILES['migrations/2_b.sql']);
    await project.write('migrations/0_before.sql', 'create table before ()');
    await expect(planPush(optionsFor(project))).rejects.toThrow(
      'apply them now: greenroom db push --include-all --db-url <url>',
    );
    expect(await push(optionsFor(project, { includesEarlier: true }))).toBe(1);
  });
});

it('push stores the secrets of db.vault unless they are left out', async () => {
  await using project = await createTestProject(FILES);
  const stored = async () =>
    database.admin.query({ text: 'select name, decrypted_secret as value from vault.decrypted_secrets' });
  await push(optionsFor(project));
  expect(await stored()).toEqual([]);
  await push(optionsFor(project, { secrets: new Map([['api_key', 'abc']]) }));
  expect(await stored()).toEqual([{ name: 'api_key', value: 'abc' }]);
});

describe('planPush', () => {
  it('lists the files and changes nothing', async () => {
    await using project = await createTestProject({ ...FILES, 'migrations/notes.md': '' });
    const plan = await planPush(optionsFor(project, { seedPaths: ['seed.sql', 'none.sql'] }));
    expect(plan.migrations.map(({ fileName }) => fileName)).toEqual(['1_a.sql', '2_b.sql']);
    expect(plan.seeds.map(({ path }) => path)).toEqual(['supabase/seed.sql']);
    expect(plan.notes).toEqual([
      'skipped notes.md: the name of a migration is <version>_<name>.sql',
      'no seed file matches none.sql',
    ]);
    expect(await tables()).toEqual([]);
    const schema = `select from pg_namespace where nspname = 'supabase_migrations'`;
    expect(await database.admin.query({ text: schema })).toEqual([]);
  });
});

describe('requireSameHistory', () => {
  it('accepts equal files and history', async () => {
    await using project = await createTestProject(FILES);
    await push(optionsFor(project));
    await expect(requireSameHistory(database.ownerUrl, project)).resolves.toBeUndefined();
  });

  it('names the missing files, and the migrations that the database lacks', async () => {
    await using project = await createTestProject(FILES);
    await push(optionsFor(project));
    await project.remove('migrations/1_a.sql');
    await project.write('migrations/3_c.sql', '');
    await expect(requireSameHistory(database.ownerUrl, project)).rejects.toThrow(
      'supabase/migrations has no files of these migrations of the database: 1. ' +
        'Write them: greenroom migration fetch --db-url <url>\n' +
        'the database does not have these migrations: 3_c.sql. Apply them: greenroom db push --db-url <url>',
    );
  });
});
