/** `greenroom test db` and `greenroom test new` on one instance. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';
import { writeStandIn } from './testing/stand-in.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_a.sql': 'create table a (id int primary key); insert into a values (1), (2);',
  });
  await project.start();
});
afterAll(() => project[Symbol.asyncDispose]());

const test = (...args: string[]) => project.run(['test', 'db', ...args]);
const hasPgTap = async () =>
  (await project.query(`select from pg_extension where extname = 'pgtap'`)).length > 0;

/** Writes one file of tests and runs it. */
async function runFile(content: string, ...args: string[]) {
  await project.write('own/file_test.sql', content);
  return test('supabase/own/file_test.sql', ...args);
}

/** Runs first: later tests have the extension. */
it('test db says how to add pgTAP, and creates nothing, if its files are missing', async () => {
  await project.write('tests/a_test.sql', 'select 1;');
  const { code, output, errors } = await test();
  expect([code, output]).toEqual([1, '']);
  expect(errors).toMatch(
    /^error: pgTAP is not available in this database\..*\n {2}greenroom extensions add postgresql-18-pgtap/,
  );
  expect(await hasPgTap()).toBe(false);
});

describe('test db', () => {
  beforeAll(async () => {
    const source = join(project.folder, 'stand-in');
    await writeStandIn(source);
    expect((await project.run(['extensions', 'add', source])).errors).toBe('');
    await project.write(
      'tests/a_test.sql',
      "begin;\nselect plan(1);\nselect pass('one');\nselect * from finish();\nrollback;\n",
    );
    await project.write(
      'tests/b/c_test.pg',
      "\\ir ../../shared.psql\nselect plan(1);\nselect is((select count(*) from a), 2::bigint, :'title');",
    );
    await project.write('shared.psql', "\\set title 'counts rows'\n");
    await project.write('tests/notes.md', 'No test.');
  });

  it('runs the .sql and .pg files of supabase/tests, and leaves the database as it was', async () => {
    const { code, output, errors } = await test();
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      /^supabase\/tests\/a_test\.sql \.+ ok\nsupabase\/tests\/b\/c_test\.pg \.+ ok\nAll tests successful\.\nFiles=2, Tests=2, \d+\.\d s\nResult: PASS\n$/,
    );
    expect(await hasPgTap()).toBe(false);
  });

  it('runs the files and folders that it is given', async () => {
    const { output } = await test('supabase/tests/b', 'supabase/tests/a_test.sql');
    expect(output).toMatch(/^supabase\/tests\/b\/c_test\.pg \.+ ok\nsupabase\/tests\/a_test\.sql \.+ ok\n/);
    expect((await test('supabase/tests/b')).output).toMatch(/^Files=1, Tests=1, /m);
  });

  it('reports failed tests with number, description and reason, and exit code 1', async () => {
    const { code, output } = await runFile(
      `select plan(3); select pass('first'); select is(1, 2, 'second'); select fail('third');`,
    );
    expect(code).toBe(1);
    expect(output).toMatch(
      new RegExp(
        [
          '^supabase/own/file_test\\.sql \\.\\. failed 2 of 3 tests',
          '  not ok 2 - second',
          '    # Failed test 2: "second"',
          '    #   have: 1',
          '    #   want: 2',
          '  not ok 3 - third',
          '    # Failed test 3: "third"',
          '',
          'Failed:',
          '  supabase/own/file_test\\.sql',
          '    test 2: second',
          '    test 3: third',
          'Files=1, Tests=3, \\d+\\.\\d s',
          'Result: FAIL\n$',
        ].join('\n'),
      ),
    );
  });

  it('fails if the plan is not met, or if there is none', async () => {
    expect(await runFile(`select plan(2); select pass('first');`)).toMatchObject({
      code: 1,
      output: expect.stringMatching(
        / \.\. failed\n[\s\S]* {4}2 tests are planned, but 1 ran\n[\s\S]*Result: FAIL\n$/,
      ),
    });
    expect(await runFile('select 1;')).toMatchObject({
      code: 1,
      output: expect.stringContaining('    there is no plan: the file calls neither plan() nor finish()\n'),
    });
  });

  it('reports an error with file and line, and runs the other files', async () => {
    await project.write('errors/1_test.sql', `select plan(1);\nselect pass('first');\nselect nope;`);
    await project.write('errors/2_test.sql', `select plan(1); select pass('first');`);
    const { code, output, errors } = await test('supabase/errors');
    expect(code).toBe(1);
    expect(errors).toMatch(
      /^supabase\/errors\/1_test\.sql, line 3: column "nope" does not exist \(SQLSTATE 42703\)\n/,
    );
    expect(output).toContain(
      '    an error ended the file: supabase/errors/1_test.sql, line 3: column "nope"',
    );
    expect(output).toMatch(/2_test\.sql \.+ ok\n[\s\S]*Files=2, Tests=2, /);
    expect(await hasPgTap()).toBe(false);
  });

  it('keeps nothing of a file that does not end its transaction, and says so', async () => {
    const { code, output } = await runFile(
      `begin; select plan(1); delete from a; select pass('deletes'); create table left_behind ();`,
    );
    expect(code).toBe(0);
    expect(output).toContain(
      'the file ended in a transaction; it was rolled back, so nothing of it was kept\n',
    );
    expect(
      await project.query(`select count(*)::int as rows, to_regclass('left_behind') as found from a`),
    ).toEqual([{ rows: 2, found: null }]);
  });

  it('prints the complete output with --debug', async () => {
    expect((await runFile(`select plan(1); select pass('first');`, '--debug')).output).toMatch(
      /^1\.\.1\nok 1 - first\n/,
    );
  });

  it('tests another database, and keeps an extension that was there before', async () => {
    await project.query('create extension pgtap with schema extensions');
    const { DB_URL } = JSON.parse((await project.run(['status', '-o', 'json'])).output);
    const { code, errors } = await test('--db-url', DB_URL);
    expect([code, errors]).toEqual([0, '']);
    expect(await hasPgTap()).toBe(true);
    await project.query('drop extension pgtap');
  });

  it('reports a run without tests', async () => {
    await mkdir(join(project.folder, 'supabase', 'empty'));
    expect(await test('supabase/empty')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^Files=0, Tests=0, \d\.\d s\nResult: NOTESTS\n$/),
    });
  });

  it('ends at Ctrl-C, and leaves neither the extension nor a session behind', async () => {
    await project.write(
      'own/file_test.sql',
      `select plan(1);\n\\warn sleeping\nbegin; delete from a; select pg_sleep(600);`,
    );
    const running = project.follow(['test', 'db', 'supabase/own/file_test.sql']);
    await running.waitFor(/sleeping/);
    running.child.kill('SIGINT');
    await running.waitFor(/error: interrupted; the transaction of the running file was rolled back\.\n/);
    expect(
      await project.query(`select pid from pg_stat_activity where application_name = 'greenroom test db'`),
    ).toEqual([]);
    expect([await hasPgTap(), (await project.query('select from a')).length]).toEqual([false, 2]);
  });

  it('passes with the file that test new has created, also on a stopped instance', async () => {
    const { code, output } = await project.run(['test', 'new', 'rls/notes']);
    expect([code, output]).toEqual([0, 'created supabase/tests/rls/notes_test.sql\n']);
    await project.stop();
    expect((await test('supabase/tests/rls')).output).toMatch(
      /notes_test\.sql \.+ ok\n[\s\S]*Result: PASS\n$/,
    );
  });
});

it('test new keeps an existing file', async () => {
  await project.write('tests/own_test.sql', 'select 1;');
  expect(await project.run(['test', 'new', 'own', '-t', 'pgtap'])).toMatchObject({
    code: 1,
    errors: 'error: supabase/tests/own_test.sql exists already. Choose another name.\n',
  });
  expect(await readFile(join(project.folder, 'supabase', 'tests', 'own_test.sql'), 'utf8')).toBe('select 1;');
});
