/** Commands that change the files or the history of a project. The logic is tested in platform/project/migrations. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql': 'create table a (id int primary key);',
    'migrations/2_b.sql': 'create table b ();',
    'migrations/3_c.sql': 'create table c ();',
    'seed.sql': 'insert into a values (1);',
  });
});
afterAll(() => project[Symbol.asyncDispose]());

const run: typeof project.run = (...args) => project.run(...args);
const files = () => readdir(join(project.folder, 'supabase', 'migrations'));
const listed = async () => (await run(['migration', 'list'])).output.split('\n').slice(1, -1);

describe('migration', () => {
  it('squash joins the files of a project that was never started', async () => {
    expect(await run(['migration', 'squash', '--version', '1'])).toMatchObject({
      code: 0,
      output: '1_a.sql is the first migration, so there is nothing to join.\n',
    });
    expect(await run(['migration', 'squash', '--version', '2'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^joined 2 migrations to 2_b.sql\n[\s\S]*--status reverted 1\n/),
    });
    expect(await files()).toEqual(['2_b.sql', '3_c.sql']);
    expect(await readdir(project.folder)).toEqual(['supabase']);
  });

  it('down resets the database after a confirmation, and up applies the reverted migrations again', async () => {
    await run(['migration', 'up']);
    expect(await run(['migration', 'down'], { input: 'n\n' })).toMatchObject({
      code: 1,
      output: expect.stringContaining('These migrations are reverted: 3\n'),
      errors: 'error: not confirmed; nothing was changed. Answer y, or use --yes.\n',
    });
    expect(await listed()).toEqual([expect.stringMatching(/^2 +2 +b/), expect.stringMatching(/^3 +3 +c/)]);
    expect(await run(['migration', 'down'], { input: 'y\n' })).toMatchObject({ code: 0 });
    expect(await listed()).toEqual([expect.stringMatching(/^2 +2 +b/), expect.stringMatching(/^3 +c/)]);
    expect((await run(['migration', 'up'])).output).toMatch(/applying 3_c.sql/);
  });

  it('down rejects a number that leaves no migration, and one that is too small', async () => {
    expect(await run(['migration', 'down', '--last', '2', '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^error: --last must be less than the number of applied migrations, which is 2/,
      ),
    });
    expect(await run(['migration', 'down', '--last', '0', '--yes'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: --last="0" is not allowed. Allowed: a whole number from 1/),
    });
  });

  it('fetch writes missing files, and asks before it overwrites others', async () => {
    await rm(join(project.folder, 'supabase', 'migrations', '3_c.sql'));
    expect(await run(['migration', 'fetch'])).toMatchObject({
      code: 0,
      output: 'wrote supabase/migrations/3_c.sql\n',
    });
    await project.write('migrations/3_c.sql', 'select 1;');
    expect(await run(['migration', 'fetch'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('These files have another content: 3_c.sql. Overwrite them? [y/N]'),
    });
    expect((await run(['migration', 'fetch', '--yes'])).code).toBe(0);
    const content = await readFile(join(project.folder, 'supabase', 'migrations', '3_c.sql'), 'utf8');
    expect(content).toBe('create table c ();\n');
    expect((await run(['migration', 'fetch'])).output).toBe(
      'supabase/migrations has all migrations of the history\n',
    );
  });

  it('squash of a running instance joins the records, too', async () => {
    await project.start();
    expect((await run(['migration', 'squash'])).output).toMatch(/^joined 2 migrations to 3_c.sql/);
    expect(await listed()).toEqual([expect.stringMatching(/^3 +3 +c/)]);
    await project.stop();
    expect(await project.start()).not.toMatch(/applying|warning/);
  });
});

it('migration squash tries the joined file in a database on db.shadow_port', async () => {
  const port = await freePort();
  await using other = await createProjectInstance({
    'config.toml': `[db]\nshadow_port = ${port}\n`,
    'migrations/1_a.sql': `do $$ begin assert current_setting('port') = '${port}'; end $$`,
    'migrations/2_b.sql': 'create table b ();',
  });
  const holder = createServer((socket) => void socket.destroy());
  await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve));
  const refused = await other.run(['migration', 'squash']);
  await new Promise((resolve) => holder.close(resolve));
  expect(refused).toMatchObject({
    code: 1,
    errors: expect.stringMatching(
      new RegExp(
        `^error: port ${port} is already in use on 127.0.0.1 by .*set db.shadow_port in supabase/config.toml to another port`,
      ),
    ),
  });
  expect(await readdir(join(other.folder, 'supabase', 'migrations'))).toEqual(['1_a.sql', '2_b.sql']);
  expect(await other.run(['migration', 'squash'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^joined 2 migrations to 2_b.sql/),
  });
});
