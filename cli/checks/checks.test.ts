/** Commands that check the database of an instance. Most run in this process, because processes take longer. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@greenroom/postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run as runCommandLine } from '../run.ts';
import { createProjectInstance } from '../testing/project-instance.ts';

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let databaseUrl: string;
let database: Database;

beforeAll(async () => {
  project = await createProjectInstance({
    'migrations/1_notes.sql': `create table notes (id int primary key, owner uuid);
      alter table notes enable row level security;
      create policy own on notes for select using (auth.uid() = owner);
      create table log (text text);
      grant select on log to anon;
      create function broken() returns int language plpgsql set search_path = '' as 'begin return nope; end';
      create function sound() returns int language plpgsql set search_path = '' as 'begin return 1; end';
      create schema other;`,
  });
  await project.start();
  const { output } = await project.run(['status', '-o', 'json']);
  databaseUrl = JSON.parse(output).DB_URL;
  database = openDatabase({ url: databaseUrl, max: 1, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await project[Symbol.asyncDispose]();
});

const query = (text: string) => database.query({ text });

/** Runs a command on the project in this process. */
async function run(args: readonly string[]) {
  const printed = { output: '', errors: '' };
  const record = (name: keyof typeof printed) => (text: string | Uint8Array) => {
    printed[name] += text;
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(record('output')),
    vi.spyOn(process.stderr, 'write').mockImplementation(record('errors')),
  ];
  try {
    return { code: await runCommandLine([...args, '--project', project.folder]), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

describe('db advisors', () => {
  const advisors = (...args: string[]) => run(['db', 'advisors', ...args]);
  const keysOf = (output: string) =>
    (JSON.parse(output) as { cache_key: string }[]).map(({ cache_key: key }) => key);

  it('prints the issues of the database as JSON', async () => {
    const { code, output, errors } = await advisors();
    expect([code, errors]).toEqual([0, '']);
    expect(keysOf(output)).toEqual([
      'auth_rls_initplan_public_notes_own',
      'rls_disabled_in_public_public_log',
    ]);
    expect(Object.keys(JSON.parse(output)[0])).toEqual([
      'name',
      'title',
      'level',
      'facing',
      'categories',
      'description',
      'detail',
      'remediation',
      'metadata',
      'cache_key',
    ]);
  });

  it('prints only issues of a type, and from a level on', async () => {
    const keys = async (...args: string[]) => keysOf((await advisors(...args)).output);
    expect(await keys('--type', 'security')).toEqual(['rls_disabled_in_public_public_log']);
    expect(await keys('--type', 'performance', '--level', 'info')).toEqual([
      'auth_rls_initplan_public_notes_own',
      'no_primary_key_public_log',
    ]);
    expect(await advisors('--type', 'performance', '--level', 'error')).toEqual({
      code: 0,
      output: '',
      errors: 'no issues found\n',
    });
  });

  it('fails if an issue has the level of --fail-on', async () => {
    const failed = await advisors('--fail-on', 'warn');
    expect([failed.code, failed.errors]).toEqual([
      1,
      'error: found 1 error, 1 warning, which --fail-on refuses.\n',
    ]);
    expect(keysOf(failed.output)).toHaveLength(2);
    expect((await advisors('--fail-on', 'error', '--type', 'performance')).code).toBe(0);
  });

  it('prints errors first, with their remedies, with -o pretty', async () => {
    const { output } = await advisors('-o', 'pretty');
    expect(output.split('\n')).toEqual([
      'error    Row-level security is disabled on table public.log, which is part of the data API.',
      expect.stringMatching(/^ {9}rls_disabled_in_public: Enable row-level security/),
      'warning  The policy own of table public.notes calls a function about the request for each row.',
      expect.stringMatching(/^ {9}auth_rls_initplan: Write the call as a subquery/),
      '1 error, 1 warning',
      '',
    ]);
  });

  it('checks another database without a project', async () => {
    const { output } = await project.run(['db', 'advisors', '--db-url', databaseUrl], { cwd: tmpdir() });
    expect(keysOf(output)).toContain('rls_disabled_in_public_public_log');
  });
});

/** A stand-in for plpgsql_check, whose library is compiled for one system: it reports functions by words in their text. */
const STAND_IN = `create function plpgsql_check_function(funcoid regprocedure, relid regclass default 0, format text default 'text')
returns setof text language plpgsql as $$
declare
  source text := (select prosrc from pg_catalog.pg_proc where oid = funcoid);
begin
  if source like '%slow%' then perform pg_catalog.pg_sleep(60); end if;
  return next json_build_object(
    'function', funcoid::text,
    'issues', case when source like '%nope%' then json_build_array(
      json_build_object(
        'level', 'error', 'message', 'column "nope" does not exist',
        'statement', json_build_object('lineNumber', '2', 'text', 'RETURN'),
        'query', json_build_object('position', '1', 'text', 'nope'),
        'sqlState', '42703'
      ),
      json_build_object('level', 'warning extra', 'message', 'unused variable "x"'),
      json_build_object('level', 'notice', 'message', 'not printed')
    ) else '[]' end
  );
end
$$;`;

describe('db lint', () => {
  const lint = (...args: string[]) => run(['db', 'lint', ...args]);
  const installed = () => query("select extversion from pg_extension where extname = 'plpgsql_check'");
  const progress = 'checking the functions of schema public\n';

  it('names the command that adds plpgsql_check if its files are missing', async () => {
    await query('create extension plpgsql_check');
    expect(await lint()).toEqual({
      code: 1,
      output: '',
      errors:
        'error: db lint requires the extension plpgsql_check, whose files this instance does not have. Add them: greenroom extensions add postgresql-18-plpgsql-check\n',
    });
    const source = join(project.folder, 'check');
    await mkdir(source);
    await writeFile(join(source, 'plpgsql_check.control'), "default_version = '2.10'\n");
    await writeFile(join(source, 'plpgsql_check--2.10.sql'), STAND_IN);
    expect((await run(['extensions', 'add', source])).output).toMatch(/^Added plpgsql_check 2\.10/);
  });

  it('prints the problems of functions as JSON, and keeps a placeholder that it replaces', async () => {
    const { code, output, errors } = await lint();
    expect([code, errors]).toEqual([0, `checking the functions of schema other\n${progress}`]);
    expect(JSON.parse(output)).toEqual([
      {
        function: 'public.broken',
        issues: [
          {
            level: 'error',
            message: 'column "nope" does not exist',
            statement: { lineNumber: '2', text: 'RETURN' },
            query: { position: '1', text: 'nope' },
            sqlState: '42703',
          },
          { level: 'warning extra', message: 'unused variable "x"' },
        ],
      },
    ]);
    expect(await installed()).toEqual([{ extversion: 'placeholder' }]);
  });

  it('checks only the named schemas, which must exist', async () => {
    expect(await lint('-s', 'other')).toEqual({
      code: 0,
      output: '',
      errors: 'checking the functions of schema other\nno problems found\n',
    });
    expect((await lint('--schema', 'public,nowhere')).errors).toMatch(
      /^error: the database has no schema nowhere\. Its schemas: auth, .*other, .*public/,
    );
  });

  it('prints problems from a level on, and fails from a level on', async () => {
    const levels = (output: string) =>
      (JSON.parse(output) as { issues: { level: string }[] }[]).flatMap(({ issues }) =>
        issues.map(({ level }) => level),
      );
    const errors = await lint('-s', 'public', '--level', 'error', '--fail-on', 'warning');
    expect([errors.code, levels(errors.output)]).toEqual([1, ['error']]);
    expect(errors.errors).toBe(`${progress}error: found 1 error, which --fail-on refuses.\n`);
    expect((await lint('-s', 'other', '--fail-on', 'warning')).code).toBe(0);
  });

  it('prints a line for each problem with -o pretty', async () => {
    expect(
      (await lint('-o', 'pretty')).output,
    ).toBe(`error    public.broken, line 2: column "nope" does not exist
         nope
warning  public.broken: unused variable "x"
1 error, 1 warning
`);
  });

  it('checks another database without a project, and creates the extension only meanwhile', async () => {
    await query('drop extension plpgsql_check');
    const { output } = await project.run(['db', 'lint', '--db-url', databaseUrl], { cwd: tmpdir() });
    expect(JSON.parse(output)).toHaveLength(1);
    expect(await installed()).toEqual([]);
  });

  it('stops the database of an instance that does not run after Ctrl-C', async () => {
    await query(`create function slow() returns int language plpgsql as 'begin return 1; -- slow
      end'`);
    await project.stop();
    const { child, waitFor } = project.follow(['db', 'lint']);
    await waitFor(/checking the functions of schema public/);
    const exited = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exited).toEqual([1, null]);
    expect(existsSync(join(project.folder, '.greenroom', 'postgres', 'postmaster.pid'))).toBe(false);
  });
});
