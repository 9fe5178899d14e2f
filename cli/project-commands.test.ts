/** Commands in the folder of a project, whether its instance runs or not. */
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@greenroom/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProjectInstance } from './testing/project-instance.ts';

type ProjectInstance = Awaited<ReturnType<typeof createProjectInstance>>;

let project: ProjectInstance;
let folder: string;

beforeEach(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql': 'create table a (id int primary key);',
    'seed.sql': 'insert into a values (1);',
  });
  folder = project.folder;
});
afterEach(() => project[Symbol.asyncDispose]());

const write: ProjectInstance['write'] = (...args) => project.write(...args);
const run: ProjectInstance['run'] = (...args) => project.run(...args);
const start: ProjectInstance['start'] = (...args) => project.start(...args);
const stop = () => project.stop();
const query = (sql: string) => project.query(sql);

describe('start', () => {
  it('applies migrations and seeds, and keeps the data folder out of the repository of the project', async () => {
    const printed = await start();
    expect(printed).toMatch(
      /applying 1_a.sql\n.*applied 1 migration of the project\n.*seeding from supabase\/seed.sql/,
    );
    expect(await query('select id from a')).toEqual([{ id: 1 }]);
    expect(await readFile(join(folder, '.greenroom', '.gitignore'), 'utf8')).toBe('*\n');
    await stop();
    await write('seed.sql', 'insert into a values (2);');
    expect(await start()).not.toMatch(/applying|seeding/);
    expect(await query('select id from a')).toEqual([{ id: 1 }]);
  });

  it('finds the project by its option, and keeps the data in its folder', async () => {
    await start(['--project', folder], { cwd: tmpdir() });
    expect(await readdir(join(folder, '.greenroom'))).toContain('keys.json');
    const { output } = await run(['migration', 'list', '--project', folder], { cwd: tmpdir() });
    expect(output).toMatch(/^1 +1 +a$/m);
  });

  it('is refused by a migration that fails, and continues with its mended version', async () => {
    await write('migrations/2_b.sql', 'create table b ();\nselect nope;');
    await expect(start()).rejects.toThrow(
      /error: supabase\/migrations\/2_b.sql, line 2, statement 2: column "nope" does not exist \(SQLSTATE 42703\)/,
    );
    await write('migrations/2_b.sql', 'create table b ();');
    expect(await start()).toMatch(/applied 1 migration of the project\n.*seeding/);
  });

  it('applies neither migrations nor seeds that config.toml disables', async () => {
    await write('config.toml', '[db.migrations]\nenabled = false\n[db.seed]\nenabled = false\n');
    expect(await start()).not.toMatch(/applying|seeding/);
    expect(await query("select to_regclass('a') as a")).toEqual([{ a: null }]);
    await stop();
    await write('config.toml', '[db.seed]\nsql_paths = ["./other.sql"]\n');
    await write('other.sql', 'insert into a values (7);');
    const { output, errors } = await run(['db', 'reset']);
    expect(output, errors).toMatch(/applying 1_a.sql/);
    await start();
    expect(await query('select id from a')).toEqual([{ id: 7 }]);
  });

  it('accepts only those connections to the database that config.toml allows, and its own', async () => {
    const startServices = async () => {
      const printed = await project.spawn(['start', '--services', 'data,realtime']).waitFor(/^ready /m);
      const url = /^ready (.*)$/m.exec(printed)?.[1];
      const health = await (await fetch(`${url}/health`)).json();
      const { output } = await run(['status', '-o', 'json']);
      return { printed, parts: health.parts, databaseUrl: JSON.parse(output).DB_URL as string };
    };
    const connect = async (to: string, sslmode: string) => {
      const url = new URL(to);
      url.searchParams.set('sslmode', sslmode);
      const database = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
      const outcome = await database.query({ text: 'select 1' }).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
      await database.close();
      return outcome;
    };
    const ok = { data: 'ok', realtime: 'ok', database: 'ok' };

    await write('config.toml', '[db.ssl_enforcement]\nenabled = true\n');
    const encrypted = await startServices();
    expect(encrypted.parts).toMatchObject(ok);
    expect(new URL(encrypted.databaseUrl).searchParams.get('sslmode')).toBe('require');
    expect([
      await connect(encrypted.databaseUrl, 'disable'),
      await connect(encrypted.databaseUrl, 'no-verify'),
    ]).toEqual([expect.stringMatching(/rejects connection.*no encryption/), 'accepted']);
    await stop();

    await write(
      'config.toml',
      '[db.network_restrictions]\nenabled = true\nallowed_cidrs = ["192.0.2.0/24"]\nallowed_cidrs_v6 = []\n',
    );
    const restricted = await startServices();
    expect(restricted.parts).toMatchObject(ok);
    expect(restricted.printed).toMatch('its allowed ranges exclude 127.0.0.1');
    expect(await connect(restricted.databaseUrl, 'disable')).toMatch(/rejects connection/);
    await write('migrations/2_b.sql', 'create table b (id int);');
    expect(await run(['migration', 'up'])).toMatchObject({
      code: 0,
      output: expect.stringMatching('2_b.sql'),
    });
  });

  it('is refused before anything is applied if a file of the configuration is missing', async () => {
    await write('config.toml', '[auth]\nsigning_keys_path = "./none.json"');
    const error = await start().catch((thrown: Error) => thrown.message);
    expect(error).toContain(
      'error: supabase/config.toml:2: auth.signing_keys_path="./none.json" is not allowed. Allowed: the path of a file with signing keys (ENOENT)',
    );
    expect(error).not.toContain('applying');
  });

  it.each([
    ['start', ['start', '--project', 'none']],
    ['status', ['status', '--project', 'none']],
    ['migration list', ['migration', 'list', '--project', 'none']],
    ['db reset', ['db', 'reset', '--project', 'none']],
  ])('and others reject a folder that is no project: %s', async (_, args) => {
    const { code, errors } = await run(args);
    expect([code, errors]).toEqual([1, expect.stringContaining(`${join(folder, 'none')} is not a project`)]);
  });
});

describe('migration', () => {
  it('up applies new migrations to a running instance', async () => {
    await start();
    await write('migrations/2_b.sql', 'create table b (id int)');
    expect((await run(['migration', 'list'])).output).toBe(
      'LOCAL  APPLIED  TIME (UTC)  NAME\n1      1                    a\n2                           b\n',
    );
    expect(await run(['migration', 'up'])).toMatchObject({
      code: 0,
      output: 'applying 2_b.sql\napplied 1 migration of the project\n',
    });
    expect((await run(['migration', 'up'])).output).toBe('all migrations are applied already\n');
    expect(await query('select id from b')).toEqual([]);
  });

  it('list, up and repair work on a stopped instance', async () => {
    expect((await run(['migration', 'up'])).output).toMatch(
      /applying 1_a.sql[\s\S]*seeding from supabase\/seed.sql/,
    );
    await write('migrations/1_a.sql', 'create table a (id bigint primary key);');
    expect((await run(['migration', 'list'])).output).toContain('1 (edited since)');
    const repaired = await run(['migration', 'repair', '--status', 'applied', '1']);
    expect(repaired).toMatchObject({ code: 0, output: 'recorded as applied: 1\n' });
    expect((await run(['migration', 'list'])).output).not.toContain('edited');
  });

  it('new creates a file with the content of its input', async () => {
    const { code, output } = await run(['migration', 'new', 'add', 'title'], { input: 'select 1;' });
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^created supabase\/migrations\/\d{14}_add_title.sql\n$/),
    ]);
    expect(await readFile(join(folder, output.slice('created '.length, -1)), 'utf8')).toBe('select 1;');
  });

  it.each([
    ['an unknown action', ['migration', 'sideways'], /unknown command "migration sideways"/],
    ['a new migration without a name', ['migration', 'new'], /migration new requires a name/],
    [
      'repair without a status',
      ['migration', 'repair', '1'],
      /use: greenroom migration repair --status applied\|reverted/,
    ],
    [
      'repair with an unknown status',
      ['migration', 'repair', '--status', 'x', '1'],
      /use: greenroom migration repair/,
    ],
    [
      'repair without versions',
      ['migration', 'repair', '--status', 'applied'],
      /use: greenroom migration repair/,
    ],
    [
      'an unknown action of db',
      ['db', 'drop'],
      /unknown command "db drop"\. Did you mean db dump\? Use db reset/,
    ],
  ])('rejects %s', async (_, args, message) => {
    expect(await run(args)).toMatchObject({ code: 1, errors: expect.stringMatching(message) });
  });
});

describe('db reset', () => {
  it('replaces the database, and keeps the keys and the identity of the instance', async () => {
    await start();
    const [before] = await query('select id from greenroom.instance');
    await query('create role left_over_role');
    await query('insert into a values (7)');
    await stop();
    const keys = await readFile(join(folder, '.greenroom', 'keys.json'), 'utf8');
    await write('migrations/1_a.sql', 'create table a (id bigint primary key);');
    expect(await run(['db', 'reset'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /applying 1_a.sql[\s\S]*seeding from supabase\/seed.sql[\s\S]*greenroom start\n$/,
      ),
    });
    expect(await readFile(join(folder, '.greenroom', 'keys.json'), 'utf8')).toBe(keys);
    expect(await start()).not.toMatch(/applying|seeding|warning/);
    expect(await query('select id from a')).toEqual([{ id: '1' }]);
    expect(await query("select from pg_roles where rolname = 'left_over_role'")).toEqual([]);
    const keyOfVault = join(folder, '.greenroom', 'postgres', 'pgsql_tmp.greenroom-vault-key');
    expect(await readFile(keyOfVault, 'utf8')).toBe(JSON.parse(keys).vaultKey);
    expect(await query('select id from greenroom.instance')).toEqual([before]);
  });

  it('changes nothing if a migration or a seed fails', async () => {
    await start();
    await query('insert into a values (7)');
    await stop();
    await write('seed.sql', 'insert into a values (1), (1);');
    expect(await run(['db', 'reset'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: supabase\/seed.sql, line 1, statement 1: duplicate key value/),
    });
    await start();
    expect(await query('select id from a order by id')).toEqual([{ id: 1 }, { id: 7 }]);
    expect(await readdir(join(folder, '.greenroom'))).not.toContain('postgres.next');
  });

  it('skips the seeds on request, and seeds an existing database on request', async () => {
    expect((await run(['db', 'reset', '--no-seed'])).code).toBe(0);
    await start();
    expect(await query('select id from a')).toEqual([]);
    expect(await run(['db', 'seed'])).toMatchObject({ code: 0, output: 'seeding from supabase/seed.sql\n' });
    expect(await query('select id from a')).toEqual([{ id: 1 }]);
    await write('other.sql', 'insert into a values (2), (1);');
    expect(await run(['db', 'seed', '--sql-paths', 'other.sql'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^error: supabase\/other.sql, line 1, statement 1: duplicate key value/),
    });
    expect(await query('select id from a')).toEqual([{ id: 1 }]);
  });

  it('requires the name of the project if the instance has a public URL', async () => {
    const name = folder.split('/').at(-1) ?? '';
    const env = { GREENROOM_PUBLIC_URL: 'https://example.org' };
    for (const input of ['', 'yes\n']) {
      expect(await run(['db', 'reset'], { env, input })).toMatchObject({
        code: 1,
        errors: 'error: the name of the project was not typed; nothing was changed.\n',
      });
    }
    expect(await run(['db', 'reset'], { env, input: `${name}\n` })).toMatchObject({ code: 0 });
  });

  it('requires the name of the project if the instance had a public URL when it last ran', async () => {
    await start([], { env: { GREENROOM_PUBLIC_URL: 'https://example.org' } });
    await stop();
    expect(await run(['db', 'reset'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('All data of the instance at https://example.org will be lost'),
    });
  });

  it('applies only migrations up to a version, and starts hold back the later ones', async () => {
    await write('migrations/2_b.sql', 'create table b ();');
    await write('other/one.sql', 'insert into a values (11);');
    await write('other/two.sql', 'insert into a values (12);');
    const seeds = ['--sql-paths', 'other/t*.sql', '--sql-paths', './other/one.sql'];
    const { output } = await run(['db', 'reset', '--last', '1', ...seeds]);
    expect(output).toMatch(
      /seeding from supabase\/other\/two.sql\nseeding from supabase\/other\/one.sql\n.*greenroom start\n$/,
    );
    const held =
      /not applied, because the database was reset or restored to an earlier version: 2_b.sql. Apply: greenroom migration up/;
    expect(output).toMatch(held);
    expect(await start()).toMatch(held);
    expect(await query("select id, to_regclass('b') as b from a order by id")).toEqual([
      { id: 11, b: null },
      { id: 12, b: null },
    ]);
    expect((await run(['migration', 'up'])).output).toMatch(/^applying 2_b.sql$/m);
    await write('migrations/3_c.sql', 'create table c ();');
    await stop();
    expect(await start()).toMatch(/applying 3_c.sql/);
  });

  it.each([
    [
      'a version without a file',
      ['--version', '7'],
      /^error: supabase\/migrations has no file with the version 7/,
    ],
    ['a version that is no number', ['--version', 'a'], /^error: "a" is not the version of a migration/],
    ['a number that is none', ['--last', '-1'], /ambiguous|--last/],
    ['a fraction', ['--last', '1.5'], /^error: --last="1.5" is not allowed. Allowed: a whole number from 0/],
    ['two targets', ['--last', '1', '--version', '1'], /^error: use either --version or --last/],
    [
      'two kinds of seeds',
      ['--no-seed', '--sql-paths', 'seed.sql'],
      /^error: use either --no-seed or --sql-paths/,
    ],
    ['a seed without a file', ['--sql-paths', 'none/*.sql'], /^error: no seed file matches "none\/\*.sql"/],
    ['an empty path of seeds', ['--sql-paths', ''], /^error: --sql-paths requires a path or a glob/],
  ])('rejects %s', async (_, args, message) => {
    const { code, errors } = await run(['db', 'reset', ...args]);
    expect([code, errors]).toEqual([1, expect.stringMatching(message)]);
    expect(await readdir(folder)).toEqual(['supabase']);
  });

  it('is refused on an external database', async () => {
    const env = { DATABASE_URL: 'postgresql://postgres@127.0.0.1:1/postgres' };
    expect(await run(['db', 'reset'], { env })).toMatchObject({
      code: 1,
      errors: expect.stringMatching(
        /^error: db reset replaces the embedded database, but DATABASE_URL is set/,
      ),
    });
  });
});
