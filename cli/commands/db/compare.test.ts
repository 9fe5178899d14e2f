/**
 * Commands that compare schemas, on one project. Most of them start several servers, so they are a trial; the statements are
 * tested in platform/project/schema-diff.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run as runCommandLine } from '../../run.ts';
import { createProjectInstance } from '../../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let other: TestDatabase;
let database: Database | undefined;

beforeAll(async () => {
  other = await createTestDatabase();
  project = await createProjectInstance({
    'migrations/20260101000000_notes.sql': 'create table notes (id int primary key);',
  });
});
afterAll(async () => {
  await database?.close();
  await project[Symbol.asyncDispose]();
  await other.drop();
});

const run: typeof project.run = (...args) => project.run(...args);
const query = async (text: string) => database?.query({ text });
const migrations = async () => (await readdir(join(project.folder, 'supabase', 'migrations'))).toSorted();
const read = (...path: string[]) => readFile(join(project.folder, 'supabase', ...path), 'utf8');

describe('bad input of commands that compare schemas', () => {
  it.each([
    [['diff', '--use-migra'], '--use-migra is not available: pg-delta makes all comparisons'],
    [['diff', '--use-pgadmin'], '--use-pgadmin is not available'],
    [['diff', '-f', 'a', '-o', 'b.sql'], 'use either --file or --output'],
    [['diff', '-f', '../a'], '"../a" cannot be the name of a migration'],
    [['diff', '-s', 'public,'], '--schema requires names of schemas'],
    [['diff', '--from', 'nowhere'], '--from must be migrations, local or a connection URL'],
    [
      ['diff', '--to', 'postgresql://u:secret@[', '-s', 'a'],
      /^--to requires a connection URL, e\.g\. postgresql:/,
    ],
    [['diff', '--to', 'local', '--db-url', 'x'], 'use either --to or --db-url'],
    [['diff'], 'the project has no database yet. Create it: greenroom start'],
    [['diff', 'extra'], "Unexpected argument 'extra'"],
    [
      ['diff', '--to', 'postgresql://u:secret@127.0.0.1:1/x'],
      'cannot connect to postgresql://u@127.0.0.1:1/x: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [['pull'], 'db pull requires --db-url postgresql://'],
    [['pull', 'a', 'b', '--db-url', 'postgresql://h/x'], "Unexpected argument 'b'"],
    [['pull', '--diff-engine', 'migra'], '--diff-engine="migra" is not allowed. Allowed: pg-delta.'],
    [['push'], 'To apply migrations to the own instance, use: greenroom migration up'],
    [['push', '--db-url', 'mysql://h/x'], '--db-url requires a connection URL'],
    [['schema', 'declarative', 'drop'], 'unknown command "db schema declarative drop"'],
    [['schema', 'declarative', 'generate', '--output-dir', '<project>'], 'contains the project itself'],
    [['schema', 'declarative', 'generate', '--reset', '--db-url', 'x'], 'use either --reset or --db-url'],
    [['schema', 'declarative', 'sync', '-f', 'a', '--name', 'b'], 'use either --file or --name'],
    [['nothing'], 'unknown command "db nothing"'],
  ])('gets one message, and changes nothing: db %j', async (args, message) => {
    const { folder } = project;
    const own = args.map((argument) => (argument === '<project>' ? folder : argument));
    let printed = '';
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
    expect(await runCommandLine(['db', ...own, '--project', folder])).toBe(1);
    write.mockRestore();
    const error = printed.replace(/^error: /, '');
    if (typeof message === 'string') expect(error).toContain(message);
    else expect(error).toMatch(message);
    expect(await readdir(folder)).toEqual(['supabase']);
    expect(await migrations()).toEqual(['20260101000000_notes.sql']);
  });
});

describe('an interrupted comparison', { tags: ['trial'] }, () => {
  it('leaves neither a migration nor a server behind', async () => {
    const before = await migrations();
    const temporary = join(project.folder, 'temporary');
    await mkdir(temporary);
    await chmod(temporary, 0o711);
    const args = ['db', 'diff', '--from', other.ownerUrl, '--to', 'migrations', '-f', 'late'];
    const { child } = project.spawn(args, { env: { TMPDIR: temporary } });
    const servers = async () =>
      (await readdir(temporary)).filter((name) => name.startsWith('greenroom-trial-'));
    await expect.poll(servers).toHaveLength(1);
    child.kill('SIGINT');
    await once(child, 'exit');
    expect(await servers()).toEqual([]);
    expect(await migrations()).toEqual(before);
  });
});

describe('db diff', { tags: ['trial'] }, () => {
  it('writes the changes of the running instance as a migration', async () => {
    await project.start();
    const { output } = await run(['status', '-o', 'json']);
    database = openDatabase({ url: JSON.parse(output).DB_URL, max: 1, applicationName: 'test' });
    await query('alter table notes add column title text');
    await query('create policy files on storage.objects for select using (true)');
    expect((await run(['db', 'diff', '-f', 'add title'])).errors).toMatch(
      /^created supabase\/migrations\/\d{14}_add_title\.sql\n$/,
    );
    const [, created = ''] = await migrations();
    expect(await read('migrations', created)).toMatch(
      /^alter table public\.notes\n {2}add column title text;\n\ncreate policy files on storage\.objects\n/,
    );
  });

  it('requires that the database has all migrations, and finds nothing when it is up to date', async () => {
    const [, created = ''] = await migrations();
    const [version = ''] = created.split('_');
    expect(await run(['db', 'diff'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`the database does not have these migrations yet: ${created}`),
    });
    await run(['migration', 'repair', '--status', 'applied', version]);
    expect(await run(['db', 'diff'])).toEqual({ code: 0, output: '', errors: 'no schema changes found\n' });
  });

  it('prints the statements, and warns about deleted objects and those that are not compared', async () => {
    await query('alter table notes drop column title');
    await query('create text search configuration names (copy = simple)');
    const { output, errors } = await run(['db', 'diff']);
    expect(output).toBe('alter table public.notes\n  drop column title;\n');
    expect(errors).toBe(
      'warning: these objects differ, but are not compared: text search configuration public.names. ' +
        'Write their statements by hand.\nwarning: these statements delete objects or data:\n  alter table public.notes\n',
    );
  });

  it('fails with --strict-coverage if objects differ that are not compared', async () => {
    const before = await migrations();
    expect(await run(['db', 'diff', '--strict-coverage', '-f', 'a'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: these objects differ, but are not compared/),
    });
    expect(await migrations()).toEqual(before);
    await query('drop text search configuration names');
    await query('alter table notes add column title text');
  });

  it('compares any two schemas, and writes the statements to a file', async () => {
    const args = ['--from', 'local', '--to', other.ownerUrl, '-s', 'public', '-o', 'diff.sql'];
    expect(await run(['db', 'diff', ...args])).toMatchObject({ code: 0, output: '' });
    expect(await readFile(join(project.folder, 'diff.sql'), 'utf8')).toBe('drop table public.notes;\n');
  });
});

describe('db push', { tags: ['trial'] }, () => {
  it('shows the migrations, and applies them after a confirmation', async () => {
    const push = (...args: string[]) => run(['db', 'push', '--db-url', other.ownerUrl, ...args]);
    const [first = '', second = ''] = await migrations();
    const list = `  supabase/migrations/${first}\n  supabase/migrations/${second}\n`;
    expect((await push('--dry-run')).output).toBe(`would apply, in this order:\n${list}`);
    expect(await push()).toMatchObject({ code: 1, errors: expect.stringContaining('nothing was changed') });
    expect((await push('--yes')).output).toBe(
      `to apply, in this order:\n${list}applying ${first}\napplying ${second}\napplied 2 migrations\n`,
    );
    expect((await push()).output).toBe('the database is up to date\n');
  });
});

describe('db pull', { tags: ['trial'] }, () => {
  const pull = (...args: string[]) => run(['db', 'pull', '--db-url', other.ownerUrl, ...args]);

  it('finds nothing in a database with the same migrations', async () => {
    expect((await pull()).errors).toBe('no schema changes found\n');
  });

  it('writes a migration, and records it after a confirmation', async () => {
    await other.run('create table remote (id int); alter table remote owner to postgres;');
    const { errors } = await pull('hosted', '--yes');
    const [, version = ''] = /created supabase\/migrations\/(\d+)_hosted\.sql\n/.exec(errors) ?? [];
    expect(errors).toContain(`recorded as applied: ${version}\n`);
    expect(await read('migrations', `${version}_hosted.sql`)).toMatch(/^create table public\.remote/);
    const { output } = await run(['migration', 'list', '--db-url', other.ownerUrl]);
    expect(output).toMatch(new RegExp(`^${version} +${version} `, 'm'));
  });

  it('requires the files of all migrations of the database, which fetch writes', async () => {
    const [hosted = ''] = (await migrations()).filter((name) => name.endsWith('_hosted.sql'));
    await rm(join(project.folder, 'supabase', 'migrations', hosted));
    expect((await pull()).errors).toContain('Write them: greenroom migration fetch --db-url <url>');
    await run(['migration', 'fetch', '--db-url', other.ownerUrl]);
    expect(await read('migrations', hosted)).toMatch(/create table public\.remote/);
  });
});

it('migration repair changes the history of another database', { tags: ['trial'] }, async () => {
  const [hosted = ''] = (await migrations()).filter((name) => name.endsWith('_hosted.sql'));
  const [version = ''] = hosted.split('_');
  const at = ['--db-url', other.ownerUrl];
  const isApplied = async () =>
    new RegExp(`^${version} +${version} `, 'm').test((await run(['migration', 'list', ...at])).output);
  for (const [status, expected] of [
    ['reverted', false],
    ['applied', true],
  ] as const) {
    expect((await run(['migration', 'repair', '--status', status, version, ...at])).code).toBe(0);
    expect(await isApplied()).toBe(expected);
  }
});

describe('the declared schema', { tags: ['trial'] }, () => {
  const generate = (...args: string[]) => run(['db', 'schema', 'declarative', 'generate', ...args]);
  const sync = (...args: string[]) => run(['db', 'schema', 'declarative', 'sync', ...args]);

  it('is written with one file for each object', async () => {
    await run(['migration', 'up']);
    expect((await generate()).errors).toMatch(/^wrote 3 files to supabase\/schemas\n$/);
    expect(await read('schemas', 'public', 'tables', 'notes.sql')).toMatch(/^create table public\.notes/);
    expect(await read('schemas', 'storage', 'tables', 'objects.sql')).toMatch(/^create policy files/);
  });

  it('replaces existing files with --overwrite only, and keeps other files', async () => {
    await project.write('schemas/notes.md', 'kept');
    await project.write('schemas/old.sql', 'create table old ();');
    expect((await generate()).errors).toMatch(/contains SQL files\. Replace them with --overwrite/);
    expect((await generate('--overwrite')).code).toBe(0);
    expect(await read('schemas', 'notes.md')).toBe('kept');
    expect(existsSync(join(project.folder, 'supabase', 'schemas', 'old.sql'))).toBe(false);
    expect(await readdir(join(project.folder, 'supabase'))).toEqual(['migrations', 'schemas']);
  });

  it('is replaced by that of another database with pull --declarative', async () => {
    const pull = ['db', 'pull', '--declarative', '--db-url', other.ownerUrl];
    expect((await run(pull)).errors).toMatch(/contains SQL files/);
    await other.run('create table later (id int); alter table later owner to postgres;');
    expect((await run([...pull, '--yes'])).code).toBe(0);
    expect(await read('schemas', 'public', 'tables', 'later.sql')).toMatch(/^create table public\.later/);
  });

  it('becomes a migration that sync writes and applies', async () => {
    const extra = 'create table public.extra (note int references notes);';
    await project.write('schemas/public/tables/extra.sql', extra);
    const { errors } = await sync('--name', 'extra', '--apply');
    expect(errors).toMatch(/^created supabase\/migrations\/\d+_extra\.sql\napplying \d+_extra\.sql\n/);
    expect(await query('select count(*)::int as count from later, extra')).toEqual([{ count: 0 }]);
    expect((await sync('--no-apply')).errors).toBe('no schema changes found\n');
  });

  it('is compared by db diff if schema_paths names its files, and errors name the place in them', async () => {
    await project.write('config.toml', '[db.migrations]\nschema_paths = ["./schemas/**/*.sql"]\n');
    await project.write('schemas/public/tables/more.sql', 'create table public.more (id int);');
    expect((await run(['db', 'diff'])).output).toMatch(/^create table public\.more/);
    await project.write('schemas/public/tables/more.sql', '\ncreate table public.more (id nope);');
    expect(await run(['db', 'diff'])).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringMatching(
        /^error: supabase\/schemas\/public\/tables\/more\.sql, line 2, statement 1: type "nope" does not exist/,
      ),
    });
  });

  it('has the folder and the format of config.toml, and no comparison if that disables pg-delta', async () => {
    const keys = (enabled: boolean) => `[experimental.pgdelta]
enabled = ${enabled}
declarative_schema_path = "./declared"
format_options = '{"keywordCase": "upper"}'
`;
    await project.write('config.toml', keys(true));
    expect((await generate()).errors).toMatch(/^wrote \d+ files to supabase\/declared\n$/);
    expect(await read('declared', 'public', 'tables', 'later.sql')).toMatch(/^CREATE TABLE public\.later/);
    await project.write('config.toml', keys(false));
    const disabled = 'error: supabase/config.toml disables pg-delta (experimental.pgdelta.enabled)';
    expect((await run(['db', 'diff'])).errors).toContain(disabled);
    expect((await sync()).errors).toContain(disabled);
    expect((await run(['db', 'diff', '--use-pg-delta'])).code).toBe(0);
  });
});
