/** Commands in the folder of a project, whether its instance runs or not. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { openDatabase } from '@greenroom/postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

let folder: string;
let server: ChildProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-commands-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase', 'migrations'), { recursive: true });
  await write('migrations/1_a.sql', 'create table a (id int primary key);');
  await write('seed.sql', 'insert into a values (1);');
});
afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const write = (path: string, content: string) => writeFile(join(folder, 'supabase', path), content);

function spawnCommand(args: string[], { cwd = folder, env = {} as Record<string, string> } = {}) {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      XDG_STATE_HOME: join(folder, 'state'),
      LOG_LEVEL: 'silent',
      PORT: '0',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

interface Outcome {
  code: number | null;
  output: string;
  errors: string;
}

/** Runs a command to its end. */
async function run(
  args: string[],
  options: Parameters<typeof spawnCommand>[1] & { input?: string } = {},
): Promise<Outcome> {
  const child = spawnCommand(args, options);
  child.stdin.end(options.input ?? '');
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, output, errors };
}

/** Starts the instance; resolves with the lines of the start. */
async function start(args: string[] = [], options: Parameters<typeof spawnCommand>[1] = {}): Promise<string> {
  const child = spawnCommand(['start', '--services', 'auth', ...args], options);
  server = child;
  let printed = '';
  child.stderr.on('data', (data) => {
    printed += data;
  });
  for await (const data of child.stdout) {
    printed += data;
    if (/^ready /m.test(printed)) return printed;
  }
  throw new Error(printed);
}

async function stop(): Promise<void> {
  if (server === undefined) return;
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  server = undefined;
  await exited;
}

/** Queries the running instance. */
async function query(sql: string) {
  const { output } = await run(['status', '-o', 'json']);
  const database = openDatabase({ url: JSON.parse(output).DB_URL, max: 1, applicationName: 'test' });
  return database.query({ text: sql }).finally(() => database.close());
}

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
    ['an unknown action of db', ['db', 'drop'], /unknown command "db drop". Use db reset/],
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
    expect(await run(['db', 'reset'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/in use by the process/),
    });
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

  it('skips the seeds on request', async () => {
    expect((await run(['db', 'reset', '--no-seed'])).code).toBe(0);
    await start();
    expect(await query('select id from a')).toEqual([]);
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
