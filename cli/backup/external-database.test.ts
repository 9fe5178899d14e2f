/** `greenroom backup` and `greenroom restore` with an external PostgreSQL. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readInstanceRecord } from '@greenroom/data-folder';
import { openSession } from '@greenroom/postgres';
import { type ExternalServer, startExternalServer } from '@greenroom/testing/external-server';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const ACCOUNTS = 20;
const MIGRATION = `
create table public.accounts (id int primary key, balance bigint not null, owner uuid references auth.users);
insert into public.accounts select n, 100, null from generate_series(1, ${ACCOUNTS}) n;
create table public.notes (id bigint generated always as identity primary key, text text not null, owner uuid default auth.uid());
alter table public.notes enable row level security;
create policy "own notes" on public.notes to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
create function public.transfer(source int, target int, amount int) returns void language sql as $$
  update public.accounts set balance = balance - amount where id = source;
  update public.accounts set balance = balance + amount where id = target;
$$;
create function public.total() returns bigint language sql stable as 'select sum(balance)::bigint from public.accounts';
insert into storage.buckets (id, name) values ('files', 'files');
create policy "read files" on storage.objects for select to authenticated using (bucket_id = 'files');
`;
const CREDENTIALS = { email: 'ada@example.org', password: 'correct horse battery' };
const LARGE = randomBytes(2_500_000);
const START = ['start', '--services', 'auth,data,storage'];

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let server: ExternalServer;
let other: ExternalServer;
let admin: SupabaseClient;
/** A folder for archives, secrets and restored data. */
let place: string;
let archive: string;
let secret: string[];
let databaseUrl: string;

/** Runs a command as a process, because backups lower the priority of theirs. */
const run = (args: string[], env: Record<string, string> = { DATABASE_URL: databaseUrl }) =>
  project.run(args, { input: '', env });
const dataFolder = () => join(project.folder, '.greenroom');

async function connect(folder: string, key: 'secret' | 'publishable' = 'secret'): Promise<SupabaseClient> {
  const { apiUrl = '', credentials } = (await readInstanceRecord(folder)) ?? {};
  return createClient(apiUrl, credentials?.apiKeys[key] ?? '', { auth: { persistSession: false } });
}

async function rowsOf(url: string, text: string): Promise<Record<string, unknown>[]> {
  const session = await openSession({ url, applicationName: 'test' });
  const [rows = []] = await session.batch([{ text }]).finally(() => session.close());
  return rows;
}

/** Starts an instance on restored data, and stops it after `work`. */
async function onRestored(env: Record<string, string>, work: () => Promise<void>): Promise<string> {
  const started = project.follow(START, { env });
  await started.waitFor(/^ready /m);
  try {
    await work();
    return started.printed();
  } finally {
    const exited = once(started.child, 'exit');
    started.child.kill('SIGTERM');
    await exited;
  }
}

/** The state that clients see. */
async function expectState(folder: string): Promise<void> {
  const restored = await connect(folder);
  const user = await connect(folder, 'publishable');
  expect((await user.auth.signInWithPassword(CREDENTIALS)).error).toBeNull();
  expect((await user.from('notes').select('text')).data).toEqual([{ text: 'of Ada' }]);
  expect((await restored.rpc('total')).data).toBe(ACCOUNTS * 100);
  expect((await user.from('notes').insert({ text: 'new' })).error).toBeNull();
  const { data } = await user.storage.from('files').download('large.bin');
  expect(Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(LARGE);
  expect((await restored.storage.from('files').upload('new.txt', 'new')).error).toBeNull();
  const signUp = await (await connect(folder, 'publishable')).auth.signUp({
    email: 'bob@example.org',
    password: CREDENTIALS.password,
  });
  expect(signUp.error).toBeNull();
}

const HISTORY = `select (select jsonb_agg(to_jsonb(m) order by service, version) from greenroom.migrations m) as platform,
  (select jsonb_agg(version order by version) from supabase_migrations.schema_migrations) as project`;

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-external-'));
  await chmod(place, 0o711);
  archive = join(place, 'archive');
  await writeFile(join(place, 'passphrase'), 'a long passphrase\n', { mode: 0o600 });
  secret = ['--passphrase-file', join(place, 'passphrase')];
  [server, other, project] = await Promise.all([
    startExternalServer(),
    startExternalServer(['operator']),
    createProjectInstance({ 'config.toml': '', 'migrations/1_accounts.sql': MIGRATION }),
  ]);
  databaseUrl = await server.createDatabase('shop');
  await project.spawn(START, { env: { DATABASE_URL: databaseUrl } }).waitFor(/^ready /m);
  admin = await connect(dataFolder());
  const user = await connect(dataFolder(), 'publishable');
  expect((await user.auth.signUp(CREDENTIALS)).error).toBeNull();
  expect((await user.from('notes').insert({ text: 'of Ada' })).error).toBeNull();
  expect((await admin.storage.from('files').upload('large.bin', LARGE)).error).toBeNull();
}, 240_000);
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await Promise.all([server.stop(), other.stop()]);
  await rm(place, { recursive: true });
});

describe('a backup of an external database', { tags: ['trial'] }, () => {
  it('is one snapshot while clients write', async () => {
    let isWriting = true;
    let transfers = 0;
    const writer = (async () => {
      for (let step = 1; isWriting; step++) {
        const accounts = { source: (step % ACCOUNTS) + 1, target: ((step * 7) % ACCOUNTS) + 1, amount: 1 };
        const { error } = await admin.rpc('transfer', accounts);
        if (error === null) transfers += 1;
        // The backup has a lower priority than the server.
        await sleep(5);
      }
    })();
    const { code, output, errors } = await run(['backup', archive, ...secret]);
    isWriting = false;
    await writer;
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/backing up .* and the database shop of 127\.0\.0\.1:\d+ to folder /);
    expect(transfers).toBeGreaterThan(0);
  });

  it('is listed, checked and pruned like others', async () => {
    const list = await run(['backup', 'list', archive]);
    expect([list.code, list.output]).toEqual([0, expect.stringMatching(/ 1, 2\.5 MB .* not yet\n$/)]);
    const check = await run(['backup', 'check', archive, ...secret]);
    expect([check.code, check.output]).toEqual([0, expect.stringContaining('nothing is damaged')]);
    const pruned = await run(['backup', 'prune', archive]);
    expect([pruned.code, pruned.output]).toEqual([0, expect.stringContaining('1 kept')]);
  });

  it('is verified in an embedded PostgreSQL', async () => {
    const { code, output, errors } = await run(['backup', 'verify', archive, ...secret]);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      / is good: PostgreSQL started; \d+ indexes, \d+ tables with \d+ rows and the hashes of 1 object are right\n$/,
    );
  });
});

describe('a restore', { tags: ['trial'] }, () => {
  it('fills an empty database of another server as another owner, and the instance continues', async () => {
    const url = await other.createDatabase('shop_restored', 'operator');
    const folder = join(place, 'external');
    const env = { DATABASE_URL: url, GREENROOM_DATA_DIR: folder };
    const { code, output, errors } = await run(['restore', archive, ...secret, '--no-start'], env);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^restored .*external and the database shop_restored of .*: 1 object 2\.5 MB$/m);
    expect(await rowsOf(url, HISTORY)).toEqual(await rowsOf(databaseUrl, HISTORY));
    const printed = await onRestored(env, () => expectState(folder));
    expect(printed).not.toContain('applied');
    const keys = (at: string) => readFile(join(at, 'keys.json'), 'utf8');
    expect(await keys(folder)).toBe(await keys(dataFolder()));
  });

  it('without DATABASE_URL creates an embedded database, and the instance continues', async () => {
    const folder = join(place, 'embedded');
    const env = { GREENROOM_DATA_DIR: folder };
    const { code, output, errors } = await run(['restore', archive, ...secret, '--no-start'], env);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toContain(`restored ${folder}: 1 object 2.5 MB; checked: `);
    const printed = await onRestored(env, async () => {
      await expectState(folder);
      const { credentials } = (await readInstanceRecord(folder)) ?? {};
      expect(await rowsOf(credentials?.adminDatabaseUrl ?? '', HISTORY)).toEqual(
        await rowsOf(databaseUrl, HISTORY),
      );
    });
    expect(printed).not.toContain('applied');
  });

  it('refuses a database that is not empty, also with --force, and leaves it and the folder unchanged', async () => {
    const folder = join(place, 'refused');
    const env = { DATABASE_URL: databaseUrl, GREENROOM_DATA_DIR: folder };
    const { code, errors } = await run(['restore', archive, ...secret, '--force'], env);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining('the database of DATABASE_URL is not empty: it has '),
    ]);
    expect(errors).toContain('Create another database');
    expect((await readdir(place)).filter((name) => name.startsWith('refused'))).toEqual([]);
    expect((await admin.rpc('total')).data).toBe(ACCOUNTS * 100);
  });

  it('refuses files of a cluster with DATABASE_URL', async () => {
    const embedded = join(place, 'physical');
    const made = await run(['backup', embedded, '--no-encryption'], {
      GREENROOM_DATA_DIR: join(place, 'embedded'),
    });
    expect([made.code, made.errors]).toEqual([0, '']);
    const folder = join(place, 'never');
    const { code, errors } = await run(['restore', embedded, '--no-encryption', '--into', folder]);
    expect([code, errors]).toEqual([
      1,
      expect.stringContaining(
        'has the files of an embedded PostgreSQL, which cannot be restored into the database',
      ),
    ]);
  });
});
