/** Scripts on a real server, compared with psql where it is installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScript } from './read-script.ts';
import { runScript } from './run-script.ts';
import { openScriptConnection } from './script-connection.ts';

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>;

beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase(),
    mkdtempDisposable(join(tmpdir(), 'greenroom-psql-')),
  ]);
});
afterAll(async () => {
  await database.drop();
  await folder.remove();
});

/** Writes files and runs `a.sql`. */
async function run(files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), { recursive: true });
    await writeFile(join(folder.path, name), content);
  }
  const output: string[] = [];
  const messages: string[] = [];
  const connection = await openScriptConnection({
    url: database.url,
    applicationName: 'test',
    onNotice: ({ severity, message }) => messages.push(`${severity}: ${message}`),
  });
  const error = await runScript({
    connection,
    path: join(folder.path, 'a.sql'),
    folder: folder.path,
    onOutput: (text) => output.push(text),
    onMessage: (text) => messages.push(text),
  }).then(
    () => undefined,
    ({ message }: Error) => message.replaceAll(relative('', folder.path), '.'),
  );
  const wasOpen = connection.isInTransaction();
  await connection.close();
  return { output: output.join('\n'), messages, error, wasOpen };
}

const SCRIPTS: [string, Record<string, string>][] = [
  ['rows', { 'a.sql': `select 1, null, 'a|b', true; select 'two\nlines'; create temp table t ();` }],
  [
    'variables',
    {
      'a.sql': `\\set id 7\n\\set text 'it''s ' b\nselect :id, :'text', :{?id};\n\\unset id\nselect :{?id};`,
    },
  ],
  [
    'stored rows',
    {
      'a.sql': `select 1 as one, null as none, 'x' as text \\gset p_\nselect :p_one, :'p_text', :{?p_none};`,
    },
  ],
  ['generated statements', { 'a.sql': `select 'select ' || n from generate_series(1, 3) n \\gexec\n` }],
  ['texts', { 'a.sql': `\\echo a  b 'c  d' "e f"\n\\set v 5\n\\echo :v :'v'\n\\qecho done` }],
  [
    'conditions',
    {
      'a.sql': `\\if yes\nselect 1;\n\\if off\nselect 2;\n\\elif 1\nselect 3;\n\\else\nselect 4;\n\\endif\n\\else\nselect 5;\n\\echo no\n\\endif\n`,
    },
  ],
  [
    'included files',
    {
      'a.sql': `\\set v 1\n\\ir b/c.sql\nselect :v;`,
      'b/c.sql': `\\ir d.sql\n\\set v 2\n`,
      'b/d.sql': 'select :v;',
    },
  ],
  ['a statement that \\g ends', { 'a.sql': 'select 1 \\g\nselect 2 \\g\n' }],
  ['a discarded statement', { 'a.sql': 'select nope \\r\nselect 2;' }],
  [
    'the format of pgTAP files',
    {
      'a.sql': `\\unset ECHO\n\\set QUIET 1\n\\pset format unaligned\n\\pset tuples_only true\n\\pset pager off\n\\set ON_ERROR_ROLLBACK 1\n\\set ON_ERROR_STOP true\nselect 'ok 1';`,
    },
  ],
  [
    'rows for copy',
    {
      'a.sql': `create temp table c (a int, b text);\ncopy c from stdin;\n1\tx\\ty\n2\t\\N\n\\.\nselect * from c order by a;`,
    },
  ],
  ['an end before its end', { 'a.sql': 'select 1;\n\\q\nselect 2;' }],
];

const hasPsql = spawnSync('psql', ['--version']).status === 0;

describe('a script', () => {
  it.skipIf(!hasPsql).each(SCRIPTS)('with %s has the output of psql', async (_, files) => {
    const { output, error } = await run(files);
    const args = ['--no-psqlrc', '--no-align', '--quiet', '--tuples-only', '--set=ON_ERROR_STOP=1'];
    const printed = execFileSync('psql', [...args, `--file=${join(folder.path, 'a.sql')}`, database.url], {
      encoding: 'utf8',
    });
    expect([error, output]).toEqual([undefined, printed.replace(/\n$/, '')]);
  });

  it('prints rows, stored values and included texts', async () => {
    const { output, error } = await run({
      'a.sql': `select 1, null;\nselect 2 as b \\gset\n\\set c 'it''s'\n\\ir b/c.sql\n\\i b/d.sql\n`,
      'b/c.sql': `select :b, :'c';`,
      'b/d.sql': '\\echo end',
    });
    expect([error, output]).toEqual([undefined, `1|\n2|it's\nend`]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a statement',
      { 'a.sql': '\nselect 1;\n\nselect\n  nope;' },
      './a.sql, line 5: column "nope" does not exist (SQLSTATE 42703)\n4 | select\n5 |   nope\n  |   ^',
    ],
    [
      'a statement without a position',
      { 'a.sql': '\n\nselect 1/0;' },
      './a.sql, line 3: division by zero (SQLSTATE 22012)',
    ],
    ['an included file', { 'a.sql': '\\ir b.sql', 'b.sql': '\nselec;' }, './b.sql, line 2: syntax error'],
    ['a missing file', { 'a.sql': '\\ir none.sql' }, './none.sql cannot be read: ENOENT'],
    [
      'a file that includes itself',
      { 'a.sql': '\\ir a.sql' },
      './a.sql, line 1: the file includes itself, or too many others',
    ],
    [
      'rows for copy',
      { 'a.sql': 'create temp table c (a int);\ncopy c from stdin;\nx\n\\.\n' },
      './a.sql, line 2: invalid input syntax for type integer: "x"',
    ],
    [
      'an unknown command',
      { 'a.sql': '\n\\copy t from file' },
      './a.sql, line 2: the command \\copy of psql is not supported. Supported: \\set,',
    ],
    [
      'a command of the shell',
      { 'a.sql': '\\set a `date`' },
      './a.sql, line 1: commands of the shell in backquotes are not run',
    ],
    [
      'stored rows',
      { 'a.sql': 'select 1 where false \\gset' },
      './a.sql, line 1: \\gset requires one row, but the statement returned 0',
    ],
    ['a condition', { 'a.sql': '\\if maybe\n\\endif' }, './a.sql, line 1: "maybe" is no Boolean for \\if.'],
    ['a condition without an end', { 'a.sql': '\\if true\n' }, './a.sql: an \\if has no \\endif'],
    ['an end without a condition', { 'a.sql': '\\endif' }, './a.sql, line 1: \\endif has no \\if'],
    [
      'a mode without transactions',
      { 'a.sql': '\\set AUTOCOMMIT off' },
      './a.sql, line 1: AUTOCOMMIT cannot be turned off.',
    ],
  ])('ends at an error of %s, with its line', async (_, files, message) => {
    const { error } = await run({ ...files, 'a.sql': `${files['a.sql']}\n\\echo never\n` });
    expect(error).toContain(message);
  });

  it('continues after errors if it turns ON_ERROR_STOP off', async () => {
    const { output, messages, error } = await run({
      'a.sql': '\\set ON_ERROR_STOP off\nselect nope;\n\\copy\nselect 2;',
    });
    expect([error, output]).toEqual([undefined, '2']);
    expect(messages).toEqual([
      expect.stringContaining('a.sql, line 2: column "nope" does not exist'),
      expect.stringContaining('a.sql, line 3: the command \\copy of psql is not supported.'),
    ]);
  });

  it('reports an open transaction, which closing the connection rolls back', async () => {
    const { wasOpen } = await run({ 'a.sql': 'begin; create table left_behind ();' });
    const [found] = await database.admin.query({ text: `select to_regclass('left_behind') as name` });
    expect([wasOpen, found?.name]).toEqual([true, null]);
  });

  it('passes notices and warnings of the script on', async () => {
    const { messages } = await run({
      'a.sql': `do $$ begin raise warning 'careful'; end $$;\n\\warn look 'here'\n`,
    });
    expect(messages).toEqual(['WARNING: careful', 'look here']);
  });
});

describe('readScript', () => {
  it('reads a compressed file', async () => {
    const path = join(folder.path, 'a.sql.gz');
    await writeFile(path, gzipSync('select 1;'));
    await using reader = await readScript(path);
    expect(await reader.next()).toMatchObject({ text: 'select 1' });
  });

  it.each([
    ['a dump in another format', Buffer.from('PGDMP\u0001'), 'pg_restore -f backup.sql dump'],
    [
      'a compressed file that is cut off',
      gzipSync('select 1;'.repeat(100)).subarray(0, 20),
      'dump cannot be read: ',
    ],
  ])('refuses %s', async (_, content, message) => {
    const path = join(folder.path, 'dump');
    await writeFile(path, content);
    const readAll = async () => {
      await using reader = await readScript(path, 'dump');
      while ((await reader.next()) !== undefined);
    };
    await expect(readAll()).rejects.toThrow(message);
  });
});
