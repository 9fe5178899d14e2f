/** `greenroom db dump` on a project. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql':
      'create table a (id int primary key); insert into a values (7); create role reader;',
  });
  await project.run(['migration', 'up']);
});
afterAll(() => project[Symbol.asyncDispose]());

const dump = (...args: string[]) => project.run(['db', 'dump', ...args]);

it('db dump prints the schema of the project while its instance is stopped', async () => {
  const { code, output, errors } = await dump();
  expect([code, errors]).toEqual([0, '']);
  expect(output).toContain('CREATE TABLE IF NOT EXISTS "public"."a"');
  expect(output).not.toMatch(/greenroom|supabase_migrations/);
});

describe('db dump of a running instance', () => {
  beforeAll(() => project.start());

  it('writes rows and roles into files', async () => {
    expect(await dump('--data-only', '-f', 'data.sql')).toEqual({
      code: 0,
      output: '',
      errors: 'wrote data.sql\n',
    });
    expect(await readFile(join(project.folder, 'data.sql'), 'utf8')).toMatch(
      /^SET session_replication_role = replica;[\s\S]*INSERT INTO "public"\."a" \("id"\) VALUES\n\t\(7\);[\s\S]*RESET ALL;\n$/,
    );
    await dump('--role-only', '-f', 'roles.sql');
    expect(await readFile(join(project.folder, 'roles.sql'), 'utf8')).toMatch(/^CREATE ROLE "reader";\n/);
  });

  it('prints the command of a dry run without running it', async () => {
    const { output } = await dump('--dry-run', '--data-only', '-s', 'public');
    expect(output).toMatch(/^pg_dump '--data-only' .*'--schema="public"'/);
  });

  it('rejects a missing folder and an unknown schema with one message, and writes nothing', async () => {
    const before = await readdir(project.folder);
    expect(await dump('-f', 'none/dump.sql')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: cannot write none\/dump\.sql: ENOENT.*\n$/),
    });
    expect(await dump('-s', 'none', '-f', 'dump.sql')).toMatchObject({
      code: 1,
      errors: 'error: the database cannot be dumped: no matching schemas were found\n',
    });
    expect(await readdir(project.folder)).toEqual(before);
  });

  it('reads another database', async () => {
    const { DB_URL } = JSON.parse((await project.run(['status', '-o', 'json'])).output);
    const { code, output } = await dump('--db-url', DB_URL);
    expect([code, output]).toEqual([0, (await dump()).output]);
  });
});
