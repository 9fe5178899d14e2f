/** Schema changes: what remains of them in the database, the history and the files. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setUpProject } from '@greenroom/project';
import { createTestProject } from '@greenroom/project/testing/project-folder';
import { describe, expect, it, vi } from 'vitest';
import { MetaServer } from '../testing/meta-server.ts';

type Project = Awaited<ReturnType<typeof createTestProject>>;

const filesOf = ({ supabaseFolder }: Project) => readdir(join(supabaseFolder, 'migrations')).catch(() => []);
const migrate = async (meta: MetaServer, sql: string, more: Record<string, unknown> = {}) => {
  const response = await meta.call('/migrations', { body: { name: 'change', sql, ...more } });
  return { status: response.status, body: await response.json() };
};
const tables = async (meta: MetaServer) =>
  (
    await meta.rows(
      "select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'i') order by 1",
    )
  ).map(({ relname }) => relname);
const history = (meta: MetaServer) =>
  meta.rows('select version, name, statements from supabase_migrations.schema_migrations order by 1');
const setUp = (meta: MetaServer, project: Project, lines: string[] = []) =>
  setUpProject({ url: meta.database.ownerUrl, project, onProgress: (line) => lines.push(line) });

/** Opens the service for a project that has run once. */
async function openWithProject(files: Record<string, string> = {}) {
  const project = await createTestProject(files);
  const meta = await MetaServer.open({ supabaseFolder: project.supabaseFolder });
  await setUp(meta, project);
  return {
    meta,
    project,
    async [Symbol.asyncDispose]() {
      await meta.close();
      await project[Symbol.asyncDispose]();
    },
  };
}

describe('with a project', () => {
  it('is cancelled by its id, and leaves nothing behind', async () => {
    await using open = await openWithProject();
    const { meta, project } = open;
    const id = crypto.randomUUID();
    const migrated = migrate(meta, 'create table slow (); select pg_sleep(60)', { id });
    await vi.waitFor(async () =>
      expect(
        await meta.rows("select 1 from pg_stat_activity where state = 'active' and query like $1", [
          '%select pg_sleep(60)',
        ]),
      ).toHaveLength(1),
    );
    expect((await meta.call('/cancel', { body: { id } })).status).toBe(204);
    const { status, body } = await migrated;
    expect([status, body.code]).toEqual([400, '57014']);
    expect([await tables(meta), await filesOf(project)]).toEqual([[], []]);
  });

  it('runs the statements, and writes a file and a record that later starts accept', async () => {
    await using open = await openWithProject({
      'migrations/20200101000000_first.sql': 'create table first ()',
    });
    const { meta, project } = open;
    const sql = '-- Notes\ncreate table notes (id int);\ncreate index notes_id on notes (id)';
    const { status, body } = await migrate(meta, sql, { name: 'create notes' });
    expect([status, body]).toEqual([
      200,
      {
        version: expect.stringMatching(/^\d{14}$/),
        path: `supabase/migrations/${body.version}_create_notes.sql`,
        notices: [],
      },
    ]);
    expect(await readFile(join(project.folder, body.path), 'utf8')).toBe(`${sql}\n`);
    expect((await history(meta)).at(-1)).toEqual({
      version: body.version,
      name: 'create_notes',
      statements: ['-- Notes\ncreate table notes (id int)', 'create index notes_id on notes (id)'],
    });
    expect(await tables(meta)).toEqual(['first', 'notes', 'notes_id']);
    const lines: string[] = [];
    expect([await setUp(meta, project, lines), lines]).toEqual([0, []]);
  });

  it('records changes of several requests at once, each with its version', async () => {
    await using open = await openWithProject();
    const { meta, project } = open;
    const changes = await Promise.all(
      ['a', 'b', 'c'].map((name) => migrate(meta, `create table ${name} ()`, { name })),
    );
    expect(changes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(changes.map(({ body }) => body.version)).size).toBe(3);
    expect(await filesOf(project)).toHaveLength(3);
    expect(await setUp(meta, project)).toBe(0);
  });

  it('gives a migration a version after that of all others, also of those from the future', async () => {
    await using open = await openWithProject({
      'migrations/20991231235959_later.sql': 'create table later ()',
    });
    const { body } = await migrate(open.meta, 'create table now ()');
    expect(body.version).toBe('21000101000000');
  });

  it('resets the role and the settings of the statements before it writes the record', async () => {
    await using open = await openWithProject();
    expect((await migrate(open.meta, "set role anon; set search_path = ''")).status).toBe(200);
    expect(await history(open.meta)).toHaveLength(1);
  });

  it.each([
    ['a statement fails', 'create table notes (); select nope', 400, '42703'],
    [
      'a deferred constraint fails at the commit',
      'create table notes (id int unique deferrable initially deferred); insert into notes values (1), (1)',
      400,
      '23505',
    ],
    ['a statement needs to be alone', 'create table notes (); vacuum notes', 400, 'statement_not_possible'],
    ['a statement ends the transaction', 'create table notes (); commit', 400, 'statement_not_possible'],
    ['a statement begins a transaction', 'begin; create table notes ()', 400, 'statement_not_possible'],
    [
      'it has rows of copy',
      'create table notes (); copy notes from stdin;\n\\.\n',
      400,
      'statement_not_possible',
    ],
    ['a quote is not closed', "create table notes (); select '", 400, 'statement_not_possible'],
    ['it has no statement', '-- nothing', 400, 'statement_not_possible'],
  ])('leaves neither tables nor file nor record if %s', async (_, sql, status, code) => {
    await using open = await openWithProject();
    const { meta, project } = open;
    expect(await migrate(meta, sql)).toEqual({
      status,
      body: expect.objectContaining({ code, message: expect.stringMatching(/\w/) }),
    });
    expect([await tables(meta), await filesOf(project), await history(meta)]).toEqual([[], [], []]);
  });

  it('returns statement and place of an error', async () => {
    await using open = await openWithProject();
    const sql = "select '😀';\nselect nope";
    const { body } = await migrate(open.meta, sql);
    expect(body).toMatchObject({ statement: 1, offset: sql.indexOf('nope') });
  });

  it('applies a file at the next start if the process is killed between file and commit', async () => {
    await using open = await openWithProject();
    const { meta, project } = open;
    const script = new URL('../testing/run-killed-migration.ts', import.meta.url).pathname;
    const args = [meta.database.ownerUrl, project.supabaseFolder, 'notes', 'create table notes ()'];
    const killed = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    expect((await once(killed, 'exit'))[1]).toBe('SIGKILL');
    expect([await filesOf(project), await tables(meta), await history(meta)]).toEqual([
      [expect.stringMatching(/^\d{14}_notes\.sql$/)],
      [],
      [],
    ]);
    const lines: string[] = [];
    expect(await setUp(meta, project, lines)).toBe(1);
    expect(await tables(meta)).toEqual(['notes']);
    expect((await migrate(meta, 'create table later ()')).status).toBe(200);
  });

  it('runs a statement alone that cannot run in a transaction, and records it', async () => {
    await using open = await openWithProject({ 'migrations/1_notes.sql': 'create table notes (id int)' });
    const { meta, project } = open;
    const sql = 'create index concurrently notes_id on notes (id)';
    expect((await migrate(meta, sql)).status).toBe(200);
    expect(await tables(meta)).toEqual(['notes', 'notes_id']);
    expect([(await filesOf(project)).length, (await history(meta)).length]).toEqual([2, 2]);
    expect(await setUp(meta, project)).toBe(0);
    expect((await migrate(meta, sql)).body.code).toBe('42P07');
    expect((await filesOf(project)).length).toBe(2);
  });

  it('does not take the word concurrently in a comment or a text for such a statement', async () => {
    await using open = await openWithProject();
    const sql = `-- not concurrently\ncreate table notes (); create view texts as select 'concurrently' as text`;
    expect((await migrate(open.meta, sql)).status).toBe(200);
  });

  it('refuses if migrations of the project are pending, and names them', async () => {
    await using open = await openWithProject();
    const { meta, project } = open;
    await project.write('migrations/1_pending.sql', 'create table pending ()');
    const { status, body } = await migrate(meta, 'create table notes ()');
    expect([status, body.code, body.message]).toEqual([
      409,
      'project_out_of_step',
      expect.stringContaining('1_pending.sql'),
    ]);
    expect(await filesOf(project)).toEqual(['1_pending.sql']);
  });

  it('waits for the lock of another process that applies migrations', async () => {
    await using open = await openWithProject();
    const { meta, project } = open;
    await project.write('migrations/1_slow.sql', 'select pg_sleep(0.5); create table slow ()');
    const applied = setUp(meta, project);
    await expect
      .poll(() => meta.rows("select 1 from pg_locks where locktype = 'advisory' and granted"))
      .not.toEqual([]);
    expect((await migrate(meta, 'create table notes ()')).status).toBe(200);
    expect([await applied, await tables(meta)]).toEqual([1, ['notes', 'slow']]);
  });
});

describe('a guard', () => {
  const guard = {
    sql: 'select count(*) from pg_class where relname = $1',
    parameters: ['notes'],
    value: '0',
  };

  it('lets a migration run while its value is the expected one', async () => {
    await using open = await openWithProject();
    expect((await migrate(open.meta, 'create table notes ()', { guard })).status).toBe(200);
    const { status, body } = await migrate(open.meta, 'drop table notes', { guard });
    expect([status, body.code, body.found]).toEqual([409, 'definition_changed', '1']);
    expect(await tables(open.meta)).toEqual(['notes']);
  });
});

describe('without a project', () => {
  it('runs the statements without file and record', async () => {
    await using meta = await MetaServer.open();
    expect(await migrate(meta, 'create table notes ()')).toEqual({
      status: 200,
      body: { version: null, path: null, notices: [] },
    });
    expect(await tables(meta)).toEqual(['notes']);
    expect(await meta.rows("select to_regclass('supabase_migrations.schema_migrations') as history")).toEqual(
      [{ history: null }],
    );
  });

  it('works as postgres, who is no superuser', async () => {
    await using meta = await MetaServer.open();
    const { body } = await migrate(meta, 'alter role anon superuser');
    expect(body.code).toBe('42501');
  });
});

it.each([
  ['off', {}, 'setting'],
  ['auto', { appUrl: 'https://example.org' }, 'public_url'],
  ['on', { supabaseFolder: '/nowhere/supabase' }, 'read_only_folder'],
])('refuses a change with GREENROOM_ADMIN_SCHEMA_CHANGES %s and %o', async (setting, options, refusal) => {
  await using meta = await MetaServer.open({
    ...options,
    settings: { GREENROOM_ADMIN_SCHEMA_CHANGES: setting },
  });
  const { status, body } = await migrate(meta, 'create table notes ()');
  expect([status, body.code, body.refusal]).toEqual([403, 'schema_changes_not_allowed', refusal]);
  expect(await tables(meta)).toEqual([]);
});

it.each([
  ['a path', '../evil'],
  ['a separator', 'a/b'],
  ['no name', ''],
  ['a hidden file', '.hidden'],
  ['a zero byte', 'a\0b'],
])('refuses %s as the name of a migration', async (_, name) => {
  await using meta = await MetaServer.open();
  const { status, body } = await migrate(meta, 'select 1', { name });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
});
