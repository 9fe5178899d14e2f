/** `greenroom restore --only` on a real instance that lost rows and objects. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInstanceRecord } from '@greenroom/data-folder';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const MIGRATION = `
create type public.mood as enum ('good', 'bad');
create table public.todos (id bigint generated always as identity primary key, title text not null, mood public.mood,
  length int generated always as (length(title)) stored);
alter table public.todos enable row level security;
alter publication supabase_realtime add table public.todos;
create table public.log (id int primary key, text text);
create table public.calls (text text);
create function public.note() returns trigger language plpgsql as $$
  begin insert into public.calls values (tg_table_name); return new; end $$;
create trigger note after insert on public.log for each row execute function public.note();
insert into storage.buckets (id, name) values ('files', 'files'), ('empty', 'empty');
`;
const ROWS = 100_000;
const MEGABYTE = 1_000_000;
const LARGE = randomBytes(2_500_000);
const START = ['start', '--services', 'auth,data,storage'];

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let admin: SupabaseClient;
let place: string;
let archive: string;
let secret: string[];
/** Time of the backup in names, e.g. `20261127t101500z`. */
let time: string;

const run = (...args: string[]) => project.run(args, { input: '' });
const restore = (...args: string[]) => run('restore', archive, ...secret, ...args);
const rowsOf = (sql: string) => project.query(sql);
const change = async (...statements: string[]) => {
  for (const statement of statements) await project.query(statement);
};

async function connect(): Promise<SupabaseClient> {
  const { apiUrl = '', credentials } = (await readInstanceRecord(join(project.folder, '.greenroom'))) ?? {};
  return createClient(apiUrl, credentials?.apiKeys.secret ?? '', { auth: { persistSession: false } });
}

async function upload(path: string, content: Buffer | string): Promise<void> {
  const { error } = await admin.storage.from('files').upload(path, content, {
    contentType: 'text/x-test',
    metadata: { by: 'ada' },
    upsert: true,
  });
  expect(error).toBeNull();
}

async function contentOf(bucket: string, path: string): Promise<Buffer | undefined> {
  const { data } = await admin.storage.from(bucket).download(path);
  return data ? Buffer.from(await data.arrayBuffer()) : undefined;
}

/** Names next to the data folder. */
const leftOvers = async () => (await readdir(project.folder)).filter((name) => name.includes('restoring'));

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-part-'));
  await chmod(place, 0o711);
  archive = join(place, 'archive');
  await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
  secret = ['--passphrase-file', join(place, 'passphrase')];
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_todos.sql': MIGRATION });
  await project.spawn(START).waitFor(/^ready /m);
  admin = await connect();
  await change(
    `insert into public.todos (title, mood) values ('buy milk', 'good'), ('call "Bob"', 'bad'), ('third', null)`,
    `insert into public.log select n, 'row ' || n from generate_series(1, ${ROWS}) as n`,
    `insert into public.log select -n, repeat(chr(96 + n), ${MEGABYTE}) from generate_series(1, 8) as n`,
    'truncate public.calls',
  );
  await upload('2026/large.bin', LARGE);
  for (const index of [1, 2, 3]) await upload(`2025/${index}.txt`, `content ${index}`);
  await rowsOf(`update storage.objects set owner_id = 'ada', created_at = '2020-01-02 03:04:05.678901+00'
    where name = '2025/1.txt'`);
  const backup = await run('backup', archive, ...secret);
  expect([backup.code, backup.errors]).toEqual([0, '']);
  const { output } = await run('backup', 'list', archive, '-o', 'json');
  const [{ stopTime }] = JSON.parse(output).backups;
  time = stopTime.replace(/\.\d+/, '').replaceAll(/[-:]/g, '').toLowerCase();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

describe('restore --only with a table', () => {
  it('restores deleted rows of a running instance into a new schema, and prints the statement that returns them', async () => {
    await change('delete from public.todos where id < 3', `update public.todos set title = 'changed'`);
    const { code, output, errors } = await restore('--only', 'todos');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`  table public.todos → schema restored_${time}\n`);
    expect(output).toContain(`restored public.todos as restored_${time}.todos: 3 rows\n`);
    const [insert = ''] = output.split('\n').filter((line) => line.startsWith('insert '));
    expect(insert).toBe(
      `insert into public.todos (id, title, mood) overriding system value select id, title, mood from restored_${time}.todos on conflict (id) do nothing;`,
    );
    await rowsOf(insert);
    expect(await rowsOf('select title, mood::text, length from public.todos order by id')).toEqual([
      { title: 'buy milk', mood: 'good', length: 8 },
      { title: 'call "Bob"', mood: 'bad', length: 10 },
      { title: 'changed', mood: null, length: 7 },
    ]);
    expect(await leftOvers()).toEqual([]);
  });

  it('restores into a schema that no API exposes, and no role except the owner may use', {
    tags: ['trial'],
  }, async () => {
    const { error } = await admin.schema(`restored_${time}`).from('todos').select();
    expect(error?.code).toBe('PGRST106');
    const roles =
      await rowsOf(`select r.rolname from pg_roles r where not rolsuper and rolname <> 'pg_read_all_data'
      and rolname not like 'pg\\_%' and has_schema_privilege(r.oid, 'restored_${time}', 'usage')`);
    expect(roles).toEqual([{ rolname: 'postgres' }]);
  });

  it('restores a table with 100,000 rows and rows of 1 MB that was dropped, without calling triggers', {
    tags: ['trial'],
  }, async () => {
    await rowsOf('drop table public.log');
    const { code, output, errors } = await restore('--only', 'public.log', '--only', 'todos');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`restored public.log as restored_${time}.log: ${ROWS + 8} rows\n`);
    expect(output).toContain(`restored public.todos as restored_${time}.todos_2: 3 rows\n`);
    expect(output).toContain(
      '-- public.log does not exist any more. Create it first, e.g. by its migration.\n',
    );
    expect(
      await rowsOf(`select count(*)::int, sum(id)::text, max(length(text)), count(distinct text)::int as texts
        from restored_${time}.log`),
    ).toEqual([
      { count: ROWS + 8, sum: String((ROWS * (ROWS + 1)) / 2 - 36), max: MEGABYTE, texts: ROWS + 8 },
    ]);
    expect(await rowsOf('select count(*)::int from public.calls')).toEqual([{ count: 0 }]);
  });

  it('stores a column as text whose type was changed', { tags: ['trial'] }, async () => {
    await change('alter table public.todos drop column mood', 'drop type public.mood cascade');
    const { output } = await restore('--only', 'todos');
    expect(output).toContain('  column mood is text: the type public.mood does not exist any more\n');
    expect(output).toContain('-- public.todos has no column mood any more.\n');
  });

  it('lists similar tables if the backup has none of this name, and changes nothing', async () => {
    const { code, errors } = await restore('--only', 'bucket:files', '--only', 'public.todo');
    expect([code, errors]).toEqual([
      1,
      'error: the backup has no table public.todo. Similar: public.todos\n',
    ]);
    expect(await rowsOf(`select id from storage.buckets where id like '%restored%'`)).toEqual([]);
    expect(await leftOvers()).toEqual([]);
  });
});

describe('restore --only with a bucket', () => {
  it('restores objects with a prefix, their owners and their dates into a private bucket', async () => {
    await admin.storage.from('files').remove(['2025/1.txt', '2025/2.txt']);
    const { code, output, errors } = await restore('--only', 'bucket:files/2025/');
    expect([code, errors]).toEqual([0, '']);
    const id = `files-restored-${time}`;
    expect(output).toContain(`  bucket files, keys that begin with 2025/ → private bucket ${id}\n`);
    expect(output).toContain(`restored bucket files as ${id}: 3 objects 27 bytes\n`);
    expect(String(await contentOf(id, '2025/1.txt'))).toBe('content 1');
    expect(
      await rowsOf(`select o.owner_id, o.created_at::text, user_metadata, metadata ->> 'mimetype' as type, b.public
        from storage.objects o join storage.buckets b on b.id = o.bucket_id where b.id = '${id}' and o.name = '2025/1.txt'`),
    ).toEqual([
      {
        owner_id: 'ada',
        created_at: '2020-01-02 03:04:05.678901+00',
        user_metadata: { by: 'ada' },
        type: 'text/x-test',
        public: false,
      },
    ]);
    expect(await contentOf(id, '2026/large.bin')).toBeUndefined();
  });

  it('continues a bucket that has a part of the objects', { tags: ['trial'] }, async () => {
    const id = `files-restored-${time}`;
    await admin.storage.from(id).remove(['2025/2.txt']);
    const { code, output } = await restore('--only', 'bucket:files');
    expect(code).toBe(0);
    expect(output).toContain(`restored bucket files as ${id}: 2 objects 2.5 MB\n`);
    expect(output).toContain('  2 objects had been restored before\n');
    expect(await contentOf(id, '2026/large.bin')).toEqual(LARGE);
    expect(String(await contentOf(id, '2025/2.txt'))).toBe('content 2');
  });

  it('reads only the needed content, and lists objects whose content is damaged', {
    tags: ['trial'],
  }, async () => {
    const copy = join(place, 'damaged');
    const { output: listed } = await run('backup', 'list', archive, '-o', 'json');
    expect(JSON.parse(listed).backups).toHaveLength(1);
    await run('backup', copy, '--no-encryption');
    const chunks = await readdir(join(copy, 'chunks'), { recursive: true, withFileTypes: true });
    const part = LARGE.subarray(0, 1000);
    let removed = 0;
    for (const { parentPath, name } of chunks.filter((entry) => entry.isFile())) {
      const path = join(parentPath, name);
      if (!(await readFile(path)).includes(part)) continue;
      await rm(path);
      removed += 1;
    }
    expect(removed).toBe(1);
    const small = await run('restore', copy, '--no-encryption', '--only', 'bucket:files/2025/');
    expect([small.code, small.errors]).toEqual([0, '']);
    const { code, output, errors } = await run('restore', copy, '--no-encryption', '--only', 'bucket:files');
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^files\/2026\/large\.bin was not restored: .*\/chunks\/.*\n$/),
    ]);
    expect(output).toContain('  1 object could not be restored\n');
  });

  it.each([
    ['bucket:file', 'error: the backup has no bucket file. Similar: files\n'],
    [
      'bucket:files/none/',
      'error: the bucket files of the backup has no object whose key begins with none/\n',
    ],
  ])('rejects %s, which the backup does not have', async (name, message) => {
    const { code, errors } = await restore('--only', name);
    expect([code, errors]).toEqual([1, message]);
  });
});

describe('restore --only', () => {
  it('prints the plan only with --dry-run', async () => {
    const { code, output } = await restore('--only', 'bucket:files', '--only', 'shop."Orders"', '--dry-run');
    expect([code, output.split('\n').slice(3)]).toEqual([
      0,
      [
        `  bucket files → private bucket files-restored-${time}`,
        `  table shop.Orders → schema restored_${time}`,
        `  from folder ${archive}, encrypted with a passphrase`,
        `  into the instance of ${join(project.folder, '.greenroom')}`,
        '',
      ],
    ]);
  });

  it.each([[['--into', 'x']], [['--force']]])('rejects %j with one sentence', async (args) => {
    const { code, errors } = await restore('--only', 'todos', ...args);
    expect([code, errors]).toEqual([
      1,
      'error: --only restores into the live instance under other names, so use it without --into and --force.\n',
    ]);
  });

  it('leaves nothing behind when a signal interrupts it, and removes what a killed process has left', {
    tags: ['trial'],
  }, async () => {
    const before = await rowsOf('select nspname from pg_namespace');
    const follow = () => project.follow(['restore', archive, ...secret, '--only', 'log', '--only', 'todos']);
    const interrupted = follow();
    await interrupted.waitFor(/^ {2}recovery$/m);
    const exited = once(interrupted.child, 'exit');
    interrupted.child.kill('SIGINT');
    expect(await exited).toEqual([1, null]);
    expect(interrupted.printed()).toMatch(/\nerror: interrupted; no table was restored\./);
    expect(await leftOvers()).toEqual([]);
    const killed = follow();
    await killed.waitFor(/^ {2}tables$/m);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(await leftOvers()).toEqual(['.greenroom.restoring-part']);
    expect((await restore('--only', 'todos')).code).toBe(0);
    expect(await leftOvers()).toEqual([]);
    expect(await rowsOf('select nspname from pg_namespace')).toEqual(before);
  });

  it('restores tables and objects of an instance that does not run', { tags: ['trial'] }, async () => {
    await project.stop();
    const { code, output, errors } = await restore('--only', 'todos', '--only', 'bucket:files/2025/');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain('  3 objects had been restored before\n');
    const [table = ''] = /restored_\S+\.todos_\d+/.exec(output) ?? [];
    await project.spawn(START).waitFor(/^ready /m);
    expect(await rowsOf(`select count(*)::int from ${table}`)).toEqual([{ count: 3 }]);
  });

  it('rejects a project without an instance', async () => {
    const env = { GREENROOM_DATA_DIR: join(place, 'none') };
    const { code, errors } = await project.run(['restore', archive, '--only', 'todos'], { input: '', env });
    expect([code, errors]).toEqual([
      1,
      'error: the project has no database yet, so there is no instance to restore a part into.\n',
    ]);
  });
});
