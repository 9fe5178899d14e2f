import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Project } from './find-project.ts';
import { ProjectError } from './project-error.ts';
import { type ProjectSetup, setUpProject } from './set-up-project.ts';
import { SqlFileError } from './sql/sql-file.ts';
import { createTestProject } from './testing/project-folder.ts';

let database: TestDatabase;
let lines: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  lines = [];
});
afterEach(() => database.drop());

const setUp = (project: Project, options: Partial<ProjectSetup> = {}) =>
  setUpProject({ url: database.ownerUrl, project, onProgress: (line) => lines.push(line), ...options });
const rows = (text: string) => database.admin.query({ text });
const history = () =>
  rows('select version, name, statements from supabase_migrations.schema_migrations order by version');
const exists = async (relation: string) =>
  (await rows(`select to_regclass('${relation}') is not null as exists`))[0]?.exists;

const failure = async (project: Project, options: Partial<ProjectSetup> = {}): Promise<Error> =>
  setUp(project, options).then(
    () => expect.fail('the project was set up'),
    (error: Error) => error,
  );

describe('migrations', () => {
  it('are applied in the order of their names and recorded in the tables of the Supabase CLI', async () => {
    await using project = await createTestProject({
      'migrations/20240102000000_add_title.sql': '-- second\nalter table a add title text;;\n',
      'migrations/20240101000000_init.sql': 'create table a (id int);\ncreate index on a (id)',
      'migrations/README.md': 'text',
      'migrations/.hidden': 'text',
    });
    expect(await setUp(project)).toBe(2);
    expect(await history()).toEqual([
      {
        version: '20240101000000',
        name: 'init',
        statements: ['create table a (id int)', 'create index on a (id)'],
      },
      {
        version: '20240102000000',
        name: 'add_title',
        statements: ['-- second\nalter table a add title text'],
      },
    ]);
    expect(lines).toEqual([
      'skipped README.md: the name of a migration is <version>_<name>.sql',
      'applying 20240101000000_init.sql',
      'applying 20240102000000_add_title.sql',
      'applied 2 migrations of the project',
    ]);
    lines = [];
    expect(await setUp(project)).toBe(0);
    expect(lines).toEqual(['skipped README.md: the name of a migration is <version>_<name>.sql']);
  });

  it('continue a history that an early version of the Supabase CLI wrote', async () => {
    await database.run('create schema supabase_migrations authorization postgres');
    await database.run('create table supabase_migrations.schema_migrations (version text primary key)');
    await database.run('alter table supabase_migrations.schema_migrations owner to postgres');
    await database.run("insert into supabase_migrations.schema_migrations values ('1')");
    await using project = await createTestProject({
      'migrations/1_one.sql': 'select broken',
      'migrations/2_two.sql': 'create table two ()',
    });
    expect(await setUp(project)).toBe(1);
    expect(await history()).toEqual([
      { version: '1', name: null, statements: null },
      { version: '2', name: 'two', statements: ['create table two ()'] },
    ]);
  });

  it('skip the dump that early versions of the Supabase CLI wrote as the first file', async () => {
    await using project = await createTestProject({
      'migrations/20211208000000_init.sql': 'select broken',
      'migrations/20211209000000_init.sql': 'select 1',
    });
    expect(await setUp(project)).toBe(1);
    expect(lines[0]).toMatch(/^skipped 20211208000000_init.sql: rename it/);
  });

  it('begin with the default settings and role', async () => {
    await using project = await createTestProject({
      'migrations/1_settings.sql': `set role authenticated; select pg_catalog.set_config('search_path', '', false);
        set statement_timeout = 1; reset role;`,
      'migrations/2_role.sql': 'create table a (id int); grant all on schema supabase_migrations to anon',
      'migrations/3_search_path.sql': `create table settings as select current_setting('search_path') as path,
        current_setting('statement_timeout') as timeout, current_setting('lock_timeout') as lock, current_user::text as role`,
    });
    await setUp(project);
    expect(await rows('select * from settings')).toEqual([
      { path: '"$user", public, extensions', timeout: '0', lock: '4s', role: 'postgres' },
    ]);
  });

  it('apply a file that begins with a statement that runs only outside of transactions', async () => {
    await using project = await createTestProject({
      'migrations/1_table.sql': 'create table a (id int)',
      'migrations/2_index.sql': 'create index concurrently a_id on a (id); comment on index a_id is $$x$$',
    });
    expect(await setUp(project)).toBe(2);
    expect(await exists('a_id')).toBe(true);
  });

  it('report notices of the server, except for those of "if exists"', async () => {
    await using project = await createTestProject({
      'migrations/1_notice.sql': `drop table if exists a; do $$ begin raise notice 'hello'; raise warning 'careful'; end $$`,
    });
    await setUp(project);
    expect(lines.filter((line) => /: /.test(line))).toEqual(['notice: hello', 'warning: careful']);
  });

  it.each<[string, string, string[]]>([
    [
      'an error with a position',
      'create table a (id int);\n\n-- why\ncreate table b as\n  select id, nope\n  from a;\nselect 1;',
      [
        'supabase/migrations/2_bad.sql, line 5, statement 2: column "nope" does not exist (SQLSTATE 42703)',
        '3 | -- why',
        '4 | create table b as',
        '5 |   select id, nope',
        '  |              ^',
        '6 |   from a;',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'an error with detail and hint',
      'create table a (id int primary key);\ninsert into a values (1), (1)',
      [
        'supabase/migrations/2_bad.sql, line 2, statement 2: duplicate key value violates unique constraint "a_pkey" (SQLSTATE 23505)',
        '2 | insert into a values (1), (1)',
        '  | ^',
        'detail: Key (id)=(1) already exists.',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a row of copy that does not fit',
      'create table a (id int);\n\ncopy a from stdin;\n1\nx\n3\n\\.\nselect 1;',
      [
        'supabase/migrations/2_bad.sql, line 5, statement 2: invalid input syntax for type integer: "x" (SQLSTATE 22P02)',
        '4 | 1',
        '5 | x',
        '  | ^',
        '6 | 3',
        'context: COPY a, line 2, column id: "x"',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a copy into no table',
      'copy nope from stdin;\n1\n\\.\nselect 1;',
      [
        'supabase/migrations/2_bad.sql, line 1, statement 1: relation "nope" does not exist (SQLSTATE 42P01)',
        '1 | copy nope from stdin;',
        '  | ^',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a copy from a file of the server',
      'copy a from $$/etc/passwd$$;',
      [
        'supabase/migrations/2_bad.sql, line 1, statement 1: permission denied to COPY from a file (SQLSTATE 42501)',
        '1 | copy a from $$/etc/passwd$$;',
        '  | ^',
        'detail: Only roles with privileges of the "pg_read_server_files" role may COPY from a file.',
        "hint: Anyone can COPY to stdout or from stdin. psql's \\copy command also works for anyone.",
        'Nothing of this file was kept.',
      ],
    ],
    [
      'an error inside of a function',
      "do $$\nbegin\n  raise exception 'no' using hint = 'try yes';\nend $$",
      [
        'supabase/migrations/2_bad.sql, line 1, statement 1: no (SQLSTATE P0001)',
        '1 | do $$',
        '  | ^',
        '2 | begin',
        'hint: try yes',
        'context: PL/pgSQL function inline_code_block line 3 at RAISE',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a constraint that fails at the commit',
      'create table a (id int primary key, b int references a deferrable initially deferred);\ninsert into a values (1, 2)',
      [
        'supabase/migrations/2_bad.sql, at its commit: insert or update on table "a" violates foreign key constraint "a_b_fkey" (SQLSTATE 23503)',
        'detail: Key (b)=(2) is not present in table "a".',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'an event trigger',
      'create function f() returns event_trigger language plpgsql as $$ begin end $$;\n-- all\ncreate event trigger e on sql_drop execute function f()',
      [
        'supabase/migrations/2_bad.sql, line 3, statement 2: permission denied to create event trigger "e" (SQLSTATE 42501)',
        '2 | -- all',
        '3 | create event trigger e on sql_drop execute function f()',
        '  | ^',
        'hint: Must be superuser to create an event trigger.',
        'Greenroom has no event triggers of projects, because their functions would also run for superusers. Remove the statement.',
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a change of a table of a service',
      'alter table auth.users add column nickname text',
      [
        'supabase/migrations/2_bad.sql, line 1, statement 1: must be owner of table auth.users (SQLSTATE 42501)',
        '1 | alter table auth.users add column nickname text',
        '  | ^',
        'detail: The schemas auth, storage and realtime belong to services, as on the hosted service.',
        'hint: Policies, triggers and grants are allowed. Create other objects in a schema of the project.',
        expect.stringMatching(
          /^context: PL\/pgSQL function greenroom.protect_changed_objects\(\) line \d+ at RAISE$/,
        ),
        'Nothing of this file was kept.',
      ],
    ],
    [
      'a statement that runs only outside of transactions in the middle',
      'create table a (id int);\ncreate index concurrently on a (id)',
      [
        'supabase/migrations/2_bad.sql, line 2, statement 2: CREATE INDEX CONCURRENTLY cannot run inside a transaction block (SQLSTATE 25001)',
        '2 | create index concurrently on a (id)',
        '  | ^',
        'Move the statement to the beginning of a file of its own: there it is not part of a transaction.',
        'Nothing of this file was kept.',
      ],
    ],
  ])('that fail with %s keep nothing of the file, and show the place', async (_, sql, message) => {
    await using project = await createTestProject({
      'migrations/1_good.sql': 'create table good ()',
      'migrations/2_bad.sql': sql,
      'migrations/3_later.sql': 'create table later ()',
    });
    const error = await failure(project);
    expect(error).toBeInstanceOf(SqlFileError);
    expect(error.message.split('\n')).toEqual(message);
    expect([await exists('good'), await exists('a'), await exists('later')]).toEqual([true, false, false]);
    expect(await history()).toMatchObject([{ version: '1' }]);
  });

  it.each([
    ['commits in between', 'create table a (); commit; select broken'],
    ['begins with a statement that commits at once', 'drop index concurrently if exists x; select broken'],
  ])('report that statements are kept if the file %s', async (_, sql) => {
    await using project = await createTestProject({ 'migrations/7_bad.sql': sql });
    const { message } = await failure(project);
    expect(message).toMatch(/are committed, because the file ends transactions itself or begins with/);
    expect(message).toMatch(/greenroom migration repair --status applied 7$/);
  });

  it.each([
    ['an unclosed quote', "select 1;\nselect 'a", /2_bad.sql, line 2: this string has no closing quote\n/],
    [
      'rows without an end',
      'copy a from stdin;\n1\n',
      /2_bad.sql, line 1: the rows of .* have no end: a line/,
    ],
    ['a command of psql', '\\connect x', /2_bad.sql, line 1: "\\connect" is a command of psql/],
  ])('with %s are not applied', async (_, sql, message) => {
    await using project = await createTestProject({ 'migrations/2_bad.sql': sql });
    expect(await failure(project)).toMatchObject({
      name: 'SqlFileError',
      message: expect.stringMatching(message),
    });
    expect(await history()).toEqual([]);
  });

  it('write the rows of copy between the other statements, and record them', async () => {
    const sql = [
      'create table a (id int, name text);',
      'copy a (id, name) from stdin;',
      "1\tit's; $$",
      '2\t\\N',
      '\\.',
      'alter table a add constraint few check (id < 3);',
      'copy a from stdin (format csv, header);',
      'id,name',
      '0,"x, y"',
      '\\.',
    ];
    await using project = await createTestProject({
      'migrations/1_rows.sql': `\\restrict x1\n${sql.join('\n')}\n\\unrestrict x1\n`,
    });
    await setUp(project);
    expect(await rows('select * from a order by id')).toEqual([
      { id: 0, name: 'x, y' },
      { id: 1, name: "it's; $$" },
      { id: 2, name: null },
    ]);
    expect((await history())[0]?.statements).toEqual([
      'create table a (id int, name text)',
      sql.slice(1, 5).join('\n'),
      'alter table a add constraint few check (id < 3)',
      sql.slice(6).join('\n'),
    ]);
    lines = [];
    expect(await setUp(project)).toBe(0);
    expect(lines).toEqual([]);
  });

  it('with one version in two files are rejected before any is applied', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a ()',
      'migrations/1_b.sql': 'create table b ()',
    });
    const error = await failure(project);
    expect(error).toBeInstanceOf(ProjectError);
    expect(error.message).toMatch(/^the migrations 1_a.sql and 1_b.sql have the same version 1\./);
    expect(await exists('a')).toBe(false);
  });

  it('that are applied but missing are rejected with the command that mends the history', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a ()',
      'migrations/2_b.sql': 'create table b ()',
    });
    await setUp(project);
    await project.remove('migrations/1_a.sql');
    await project.write('migrations/3_c.sql', 'create table c ()');
    const error = await failure(project);
    expect(error).toBeInstanceOf(ProjectError);
    expect(error.message).toMatch(/missing from supabase\/migrations: 1_a.sql\.\n.*--status reverted 1$/);
    expect(await exists('c')).toBe(false);
  });

  it('that were edited after they were applied are reported, and others are applied', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': 'create table a (id int);' });
    await setUp(project);
    await project.write('migrations/1_a.sql', 'create table a\n  (id int)');
    await setUp(project);
    expect(lines.join()).not.toMatch(/warning/);
    await project.write('migrations/1_a.sql', 'create table a (id bigint)');
    await project.write('migrations/2_b.sql', 'create table b ()');
    expect(await setUp(project)).toBe(1);
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
      expect.stringMatching(/^warning: 1_a.sql was edited .* greenroom db reset\. .* --status applied 1$/),
    ]);
  });

  it('with an edit that cannot be split are reported as edited', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': 'create table a (id int);' });
    await setUp(project);
    await project.write('migrations/1_a.sql', "select 'a");
    expect(await setUp(project)).toBe(0);
    expect(lines.at(-1)).toMatch(/^warning: 1_a.sql was edited/);
  });

  it('in front of an applied one are rejected, unless they are asked for', async () => {
    await using project = await createTestProject({ 'migrations/2_b.sql': 'create table b ()' });
    await setUp(project);
    await project.write('migrations/1_a.sql', 'create table a ()');
    const error = await failure(project);
    expect(error.message).toMatch(
      /in front of 2_b.sql, .*: 1_a.sql\.\n.*greenroom migration up --include-all$/,
    );
    expect(await setUp(project, { includesEarlier: true })).toBe(1);
    expect(await exists('a')).toBe(true);
  });

  it('are applied once by nodes that start at the same time', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'select pg_sleep(0.3); create table a ()',
      'migrations/2_b.sql': 'create table b (id int)',
      'migrations/3_index.sql': 'create index concurrently on b (id)',
    });
    const counts = await Promise.all([setUp(project), setUp(project), setUp(project)]);
    expect(counts.sort()).toEqual([0, 0, 3]);
    expect(lines).toContain('waiting for another node that applies migrations');
  });
});

describe('seeds', () => {
  const files = {
    'migrations/1_a.sql': 'create table a (id int primary key, name text)',
    'seed.sql': "insert into a values (1, 'x;y');\nselect set_config('search_path', '', false);",
  };

  it('run once in a new database, after all migrations', async () => {
    await using project = await createTestProject(files);
    await setUp(project);
    await project.write('seed.sql', "insert into a values (2, 'later')");
    await setUp(project);
    expect(await rows('select id from a')).toEqual([{ id: 1 }]);
    expect(await rows('select path, length(hash) as length from supabase_migrations.seed_files')).toEqual([
      { path: 'supabase/seed.sql', length: 64 },
    ]);
    expect(lines.filter((line) => line.startsWith('seeding'))).toEqual(['seeding from supabase/seed.sql']);
  });

  it('never run in a database that was in use before it had a project', async () => {
    await database.admin.query({ text: 'update greenroom.project set are_seeds_due = false' });
    await using project = await createTestProject(files);
    await setUp(project);
    expect(await rows('select id from a')).toEqual([]);
  });

  it.each([
    ['a table', 'create table before ()'],
    ['a function', 'create function before() returns int language sql return 1'],
    ['a type', 'create type before as enum ()'],
    ['an account', 'insert into auth.users (id) values (gen_random_uuid())'],
  ])('never run in a database that had %s before its first project', async (_, sql) => {
    await database.run(sql);
    await using project = await createTestProject(files);
    await setUp(project);
    expect(await rows('select id from a')).toEqual([]);
    expect(lines[0]).toBe(
      'no seeds are run, because the database was in use before it had a project. Run them: greenroom db seed',
    );
    expect(await rows('select are_seeds_due, are_objects_due from greenroom.project')).toEqual([
      { are_seeds_due: false, are_objects_due: false },
    ]);
    lines = [];
    await setUp(project);
    expect(lines).toEqual([]);
  });

  it('run in a database whose public schema has only an extension', async () => {
    await database.run('create extension citext schema public');
    await using project = await createTestProject(files);
    await setUp(project);
    expect(await rows('select id from a')).toEqual([{ id: 1 }]);
  });

  it('never run later in a database whose project had none', async () => {
    const { 'seed.sql': seed, ...migrations } = files;
    await using project = await createTestProject(migrations);
    await setUp(project);
    await project.write('seed.sql', seed);
    await setUp(project);
    expect(await rows('select id from a')).toEqual([]);
    expect(lines).toEqual(['applying 1_a.sql', 'applied 1 migration of the project']);
  });

  it('run in the order of their patterns, and by name for each pattern', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a (id int generated always as identity, name text)',
      'seeds/b.sql': "insert into a (name) values ('b')",
      'seeds/a.sql': "insert into a (name) values ('a')",
      'first.sql': "insert into public.a (name) values ('first'); set search_path = ''",
    });
    await setUp(project, { seedPaths: ['./first.sql', 'seeds/*.sql', './seeds/a.sql', 'none/*.sql'] });
    expect(await rows('select name from a order by id')).toEqual([
      { name: 'first' },
      { name: 'a' },
      { name: 'b' },
    ]);
    expect(lines).toContain('warning: no seed file matches none/*.sql');
  });

  it('keep nothing if one of them fails, and run at the next start', async () => {
    await using project = await createTestProject({
      ...files,
      'seed.sql': "insert into a values (1, 'x')",
      'more.sql': "insert into a values (2, 'y');\ninsert into a values (1, 'z')",
    });
    const seedPaths = ['seed.sql', 'more.sql'];
    const error = await failure(project, { seedPaths });
    expect(error.message.split('\n')).toEqual([
      'supabase/more.sql, line 2, statement 2: duplicate key value violates unique constraint "a_pkey" (SQLSTATE 23505)',
      "2 | insert into a values (1, 'z')",
      '  | ^',
      'detail: Key (id)=(1) already exists.',
      'No seeds were kept. Mend the file, and try again.',
    ]);
    expect(await rows('select id from a')).toEqual([]);
    await project.write('more.sql', "insert into a values (2, 'y')");
    await setUp(project, { seedPaths });
    expect(await rows('select id from a')).toEqual([{ id: 1 }, { id: 2 }]);
  });

  it('that fail at the commit name the last file', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql':
        'create table a (id int primary key, b int references a deferrable initially deferred)',
      'seed.sql': 'insert into a values (1, 2)',
    });
    expect((await failure(project)).message).toMatch(/^supabase\/seed.sql, at its commit: insert or update/);
  });

  it('write the rows of copy, or nothing if one of them does not fit', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a (id int primary key)',
      'seed.sql': 'copy a from stdin;\n1\n1\n\\.\n',
    });
    expect((await failure(project)).message).toMatch(
      /^supabase\/seed.sql, line 3, statement 1: duplicate key[\s\S]*\n3 \| 1\n/,
    );
    await project.write('seed.sql', 'copy a from stdin;\n1\n2\n\\.\ninsert into a values (3);');
    await setUp(project);
    expect(await rows('select id from a order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  });

  it('that end transactions themselves report that earlier seeds are kept', async () => {
    await using project = await createTestProject({
      ...files,
      'seed.sql': "begin; insert into a values (1, 'x'); commit; select broken",
    });
    expect((await failure(project)).message).toMatch(/earlier seeds are kept.*then run: greenroom db reset$/);
  });
});

describe('a new migration without a statement', () => {
  it('is left for later together with those after it, if its author is still writing it', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a ()',
      'migrations/2_b.sql': '-- a table\n',
      'migrations/3_c.sql': 'create table c ()',
    });
    const findings: string[] = [];
    const options = { waitsForContent: true, onFinding: (line: string) => findings.push(line) };
    expect(await setUp(project, options)).toBe(1);
    expect(findings).toEqual(['2_b.sql has no statement yet; it is applied when it has']);
    await project.write('migrations/2_b.sql', '-- a table\ncreate table b ()');
    expect(await setUp(project, options)).toBe(2);
  });

  it('is applied otherwise', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': '' });
    expect(await setUp(project)).toBe(1);
  });
});

describe('migrations after the last version of a reset', () => {
  it('are held back until they are asked for', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a ()',
      'migrations/2_b.sql': 'create table b ()',
    });
    const note = (names: string) =>
      `not applied, because the database was reset or restored to an earlier version: ${names}. Apply: greenroom migration up`;
    expect(await setUp(project, { lastVersion: '' })).toBe(0);
    expect(lines).toEqual([note('1_a.sql, 2_b.sql')]);
    lines = [];
    expect(await setUp(project, { lastVersion: '1' })).toBe(1);
    await project.write('migrations/3_c.sql', 'create table c ()');
    expect(await setUp(project)).toBe(0);
    expect(lines.slice(-1)).toEqual([note('2_b.sql, 3_c.sql')]);
    expect(await setUp(project, { includesHeld: true })).toBe(2);
    await project.write('migrations/4_d.sql', 'create table d ()');
    expect(await setUp(project)).toBe(1);
  });

  it('stay held back if one of them fails', async () => {
    await using project = await createTestProject({
      'migrations/1_a.sql': 'create table a ()',
      'migrations/2_b.sql': 'create table a ()',
    });
    await setUp(project, { lastVersion: '1' });
    expect(await failure(project, { includesHeld: true })).toBeInstanceOf(SqlFileError);
    expect(await setUp(project)).toBe(0);
  });
});

describe('new tables', () => {
  const MIGRATION = 'create table a (id int); create sequence b; create function c() returns int return 1';
  const rights = async () =>
    (
      await rows(`select has_table_privilege('anon', 'a', 'select') as may_read,
        has_table_privilege('service_role', 'a', 'insert') as may_write,
        has_sequence_privilege('authenticated', 'b', 'usage') as may_count,
        coalesce((select proacl::text ~ 'anon=' from pg_proc where oid = 'c()'::regprocedure), false) as may_call`)
    )[0];

  it.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('are exposed with api.auto_expose_new_tables = %s: %s', async (exposesNewTables, expected) => {
    await using project = await createTestProject({ 'migrations/1_a.sql': MIGRATION });
    await setUp(project, { exposesNewTables });
    expect(await rights()).toEqual({
      may_read: expected,
      may_write: expected,
      may_count: expected,
      may_call: expected,
    });
  });

  it('are exposed again when a later start demands it', async () => {
    await using project = await createTestProject();
    await setUp(project, { exposesNewTables: false });
    await project.write('migrations/1_a.sql', MIGRATION);
    await setUp(project, { exposesNewTables: true });
    expect(await rights()).toEqual({ may_read: true, may_write: true, may_count: true, may_call: true });
  });
});

describe('database webhooks', () => {
  const TRIGGER = `create table a (id int);
    create trigger t after insert on a for each row
    execute function supabase_functions.http_request('https://example.org', 'POST', '{}', '{}', '1000');
    insert into a values (1)`;

  it('have their extension with experimental.webhooks.enabled = true, also after it was dropped', async () => {
    await using project = await createTestProject({ 'migrations/1_a.sql': 'drop extension pg_net' });
    await setUp(project);
    await project.write('migrations/2_b.sql', TRIGGER);
    expect((await failure(project)).message).toContain('database webhooks require the extension pg_net');
    await setUp(project, { webhooks: true });
    expect(await rows('select url from net.http_request_queue')).toEqual([{ url: 'https://example.org/' }]);
    expect(await rows('select hook_name from supabase_functions.hooks')).toEqual([{ hook_name: 't' }]);
  });

  it('have no effect if the database does not have the function', async () => {
    await using project = await createTestProject();
    await database.run('drop schema supabase_functions cascade');
    await setUp(project, { webhooks: true });
    expect(lines).toContain(
      'warning: database webhooks (experimental.webhooks) have no effect, because the database has no extension pg_net',
    );
  });
});

it('a migration moves an extension, as the advisor of the hosted service recommends', async () => {
  await using project = await createTestProject({
    'migrations/1_a.sql':
      'create extension pg_trgm schema public; alter extension pg_trgm set schema extensions;',
  });
  await setUp(project);
  expect(
    await rows(
      `select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'`,
    ),
  ).toEqual([{ schema: 'extensions' }]);
});

it.each([
  [99, [expect.stringMatching(/^warning: the project is for PostgreSQL 99 .*runs PostgreSQL \d\d$/)]],
  [15, []],
  [undefined, []],
])('a database warns about a project for PostgreSQL %s: %j', async (majorVersion, warnings) => {
  await using project = await createTestProject();
  await setUp(project, { majorVersion });
  expect(lines).toEqual(warnings);
});

describe('secrets', () => {
  const secrets = new Map([
    ['one', 'first'],
    ['two', "sec'ond"],
  ]);
  const WARNING = 'warning: the secrets of db.vault are not stored, because the database has no Vault';

  it('are not stored in a database without Vault', async () => {
    await database.run('drop extension if exists supabase_vault cascade');
    await using project = await createTestProject({ 'migrations/1_a.sql': 'create table a ()' });
    await setUp(project, { secrets });
    expect(lines).toContain(WARNING);
    expect(await exists('a')).toBe(true);
  });

  it('are created and changed before the migrations', async () => {
    await database.run(
      `select vault.create_secret('former', 'one'), vault.create_secret('unchanged', 'other')`,
    );
    await using project = await createTestProject({
      'migrations/1_a.sql':
        'create table a as select name, decrypted_secret as secret from vault.decrypted_secrets',
    });
    await setUp(project, { secrets });
    expect(await rows('select * from a order by name')).toEqual([
      { name: 'one', secret: 'first' },
      { name: 'other', secret: 'unchanged' },
      { name: 'two', secret: "sec'ond" },
    ]);
    expect(lines).not.toContain(WARNING);
  });
});

describe('functions for clients of queues', () => {
  const QUEUE = `create extension pgmq; select pgmq.create('tasks');`;
  const WARNING =
    'warning: api.schemas contains pgmq_public, but the database has no queues. Add a migration: create extension pgmq';
  const functions = async () =>
    await rows(`select p.oid::regprocedure::text as function, pg_get_function_result(p.oid) as result,
        pg_get_function_arguments(p.oid) as arguments
      from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = 'pgmq_public' order by 1`);

  it('are those of the hosted service, for seeds, too', async () => {
    await using project = await createTestProject({
      'migrations/1_queue.sql': QUEUE,
      'seed.sql': `select pgmq_public.send('tasks', '"seeded"', 5)`,
    });
    await setUp(project, { exposesQueues: true });
    expect(await functions()).toEqual([
      {
        function: 'pgmq_public.archive(text,bigint)',
        arguments: 'queue_name text, message_id bigint',
        result: 'boolean',
      },
      {
        function: 'pgmq_public.delete(text,bigint)',
        arguments: 'queue_name text, message_id bigint',
        result: 'boolean',
      },
      {
        function: 'pgmq_public.pop(text)',
        arguments: 'queue_name text',
        result: 'SETOF pgmq.message_record',
      },
      {
        function: 'pgmq_public.read(text,integer,integer)',
        arguments: 'queue_name text, sleep_seconds integer, n integer',
        result: 'SETOF pgmq.message_record',
      },
      {
        function: 'pgmq_public.send(text,jsonb,integer)',
        arguments: 'queue_name text, message jsonb, sleep_seconds integer DEFAULT 0',
        result: 'SETOF bigint',
      },
      {
        function: 'pgmq_public.send_batch(text,jsonb[],integer)',
        arguments: 'queue_name text, messages jsonb[], sleep_seconds integer DEFAULT 0',
        result: 'SETOF bigint',
      },
    ]);
    expect(await rows('select message from pgmq.q_tasks where vt > enqueued_at')).toEqual([
      { message: 'seeded' },
    ]);
    await setUp(project, { exposesQueues: true });
  });

  it('are those of the project if a migration creates the schema', async () => {
    await using project = await createTestProject({
      'migrations/1_queue.sql': `${QUEUE} create schema if not exists pgmq_public;
        create function pgmq_public.peek() returns bigint language sql as 'select count(*) from pgmq.q_tasks'`,
    });
    await setUp(project, { exposesQueues: true });
    expect(await functions()).toMatchObject([{ function: 'pgmq_public.peek()' }]);
  });

  it.each([
    ['the API does not expose them', { exposesQueues: false }, QUEUE, []],
    ['the database has no queues', { exposesQueues: true }, 'select 1', [WARNING]],
  ])('are missing if %s', async (_, options, migration, warnings) => {
    await using project = await createTestProject({ 'migrations/1_a.sql': migration });
    await setUp(project, options);
    expect(await functions()).toEqual([]);
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual(warnings);
  });
});
