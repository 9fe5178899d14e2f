/** `greenroom restore --to-time` and `--latest`, on archives with the log and the rounds of content of a running instance. */
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Archive, LogShipper, openArchive, openStore, readLogMark } from '@greenroom/backup';
import { putTestRound } from '@greenroom/backup/testing/rounds';
import { readInstanceRecord } from '@greenroom/data-folder';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const TABLE = `
create table public.notes (id bigint generated always as identity primary key, text text not null);
insert into storage.buckets (id, name) values ('files', 'files');
`;
const START = ['start', '--services', 'data,storage'];
const PASSPHRASE = 'a long passphrase';

/** An instance whose log is shipped. */
interface ShippedInstance {
  database: Database;
  client: SupabaseClient;
  shipper: LogShipper;
}

let project: Awaited<ReturnType<typeof createProjectInstance>>;
/** A folder for archives, secrets and restored data. */
let place: string;
let archive: string;
let secret: string[];
let opened: Archive;
let rounds = 0;
/** After the first note, after the second one, and after the third one of a restored instance. */
let [first, second, third] = ['', '', ''];

const run = (...args: string[]) => project.run(args, { input: '' });
const restore = (...args: string[]) => run('restore', archive, ...secret, ...args);
const ranges = async () =>
  JSON.parse((await run('backup', 'list', archive, '-o', 'json')).output).restorable as {
    from: string;
    to: string;
  }[];

async function connect(dataFolder: string): Promise<ShippedInstance> {
  const { apiUrl = '', credentials } = (await readInstanceRecord(dataFolder)) ?? {};
  const url = credentials?.adminDatabaseUrl ?? '';
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  const client = createClient(apiUrl, credentials?.apiKeys.secret ?? '', { auth: { persistSession: false } });
  const shipper = new LogShipper({
    archive: opened,
    url,
    slot: 'greenroom_backup',
    lagMs: 20,
    idleHeadMs: 50,
    readMark: () => readLogMark(database),
    onReport: () => undefined,
  });
  return { database, client, shipper };
}

async function close({ database, shipper }: ShippedInstance): Promise<void> {
  await shipper.close();
  await database.close();
}

async function until(isReached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isReached())) await sleep(5);
}

/** Resolves with a whole second after everything that is committed, when the clock of the database has passed it. */
async function currentTime({ database }: ShippedInstance): Promise<string> {
  const clock = async () => {
    const [row] = await database.query({
      text: 'select extract(epoch from clock_timestamp())::float8 as seconds',
    });
    return Number(row?.seconds);
  };
  const second = Math.ceil(await clock());
  await until(async () => (await clock()) > second);
  return new Date(second * 1000).toISOString().replace('.000Z', 'Z');
}

/** Resolves when everything that is committed now is in the archive. */
async function waitUntilShipped({ database, shipper }: ShippedInstance): Promise<void> {
  const { time } = await readLogMark(database);
  await until(() => (shipper.status.coveredTime ?? new Date(0)) > time);
}

/** Ends a piece of the log: longer ones are not replaced. */
async function closePiece(instance: ShippedInstance): Promise<void> {
  const text = `select pg_logical_emit_message(true, 'test', repeat('x', 300000))`;
  await instance.database.query({ text });
  await waitUntilShipped(instance);
}

const insert = ({ client }: ShippedInstance, text: string) =>
  client.from('notes').insert({ text }).throwOnError();

async function upload({ client }: ShippedInstance, path: string, content: string): Promise<void> {
  const { error } = await client.storage.from('files').upload(path, content, { upsert: true });
  expect(error).toBeNull();
}

/** Puts the content of an object into a round. */
async function putRound(
  { database, shipper }: ShippedInstance,
  path: string,
  content: string,
): Promise<void> {
  const { lineage } = shipper.status;
  const [row] = await database.query<{ version: string; metadata: unknown }>({
    text: 'select version, metadata from storage.objects where name = $1',
    values: [path],
  });
  if (lineage === undefined || row === undefined) throw new Error('the object has no row yet');
  const contents = [{ row: { ...row, bucket: 'files', key: path }, bytes: Buffer.from(content) }];
  await putTestRound(opened, lineage, { time: new Date(), number: ++rounds, contents });
}

/** Returns rows, objects and timeline of a restored folder. */
async function contentsOf(folder: string) {
  return onRestored(folder, async ({ client, database }) => {
    const { data } = await client.from('notes').select('text').order('id');
    const files = client.storage.from('files');
    const { data: objects } = await files.list();
    const contents = await Promise.all(
      (objects ?? []).map(async ({ name }) => {
        const found = await files.download(name);
        return [name, await found.data?.text()] as const;
      }),
    );
    const [timeline] = await database.query({ text: 'select timeline_id from pg_control_checkpoint()' });
    return {
      notes: data?.map(({ text }) => text),
      objects: Object.fromEntries(contents),
      timeline: timeline?.timeline_id,
    };
  });
}

/** Starts an instance on restored data, and stops it after `work`. */
async function onRestored<T>(
  folder: string,
  work: (instance: Pick<ShippedInstance, 'client' | 'database'>) => Promise<T>,
): Promise<T> {
  const server = project.follow(START, { env: { GREENROOM_DATA_DIR: folder } });
  try {
    await server.waitFor(/^ready /m);
    const { apiUrl = '', credentials } = (await readInstanceRecord(folder)) ?? {};
    const url = credentials?.adminDatabaseUrl ?? '';
    const database = openDatabase({ url, max: 1, applicationName: 'test' });
    const client = createClient(apiUrl, credentials?.apiKeys.secret ?? '', {
      auth: { persistSession: false },
    });
    return await work({ client, database }).finally(() => database.close());
  } finally {
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await exited;
  }
}

/** Returns a copy of the archive for damage. */
async function copyOfArchive(name: string): Promise<string> {
  const copy = join(place, name);
  await cp(archive, copy, { recursive: true });
  return copy;
}

/** Returns the paths of the pieces of the log of the first lineage. */
async function piecesOf(folder: string): Promise<string[]> {
  const lineages = await readdir(join(folder, 'wal'));
  const lineage = lineages.find((each) => each.endsWith('-1')) ?? '';
  const names = await readdir(join(folder, 'wal', lineage));
  return names
    .filter((name) => name !== 'head.json')
    .toSorted()
    .map((name) => join(folder, 'wal', lineage, name));
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-restore-'));
  await chmod(place, 0o711);
  archive = join(place, 'archive');
  await writeFile(join(place, 'passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 });
  secret = ['--passphrase-file', join(place, 'passphrase')];
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_notes.sql': TABLE });
  await project.spawn(START).waitFor(/^ready /m);
  // The first backup creates the archive. Its log is not archived.
  expect((await run('backup', archive, ...secret)).code).toBe(0);
  opened = await openArchive(await openStore(archive), { secrets: { passphrase: PASSPHRASE } });
  const instance = await connect(join(project.folder, '.greenroom'));
  await until(() => instance.shipper.status.connection === 'streaming');
  await upload(instance, 'base.txt', 'in the backup');
  await upload(instance, 'deleted.txt', 'in the backup, deleted later');
  const named = await run('backup', archive, ...secret, '--name', 'before-migration');
  expect([named.code, named.errors]).toEqual([0, '']);
  await upload(instance, 'round.txt', 'in a round');
  await putRound(instance, 'round.txt', 'in a round');
  await upload(instance, 'lost.txt', 'never stored');
  await upload(instance, 'replaced.txt', 'never stored, too');
  await insert(instance, 'first');
  first = await currentTime(instance);
  await closePiece(instance);
  await closePiece(instance);
  await insert(instance, 'second');
  await upload(instance, 'replaced.txt', 'newer');
  await putRound(instance, 'replaced.txt', 'newer');
  await upload(instance, 'later.txt', 'later');
  await putRound(instance, 'later.txt', 'later');
  await instance.client.storage.from('files').remove(['deleted.txt', 'lost.txt', 'round.txt']);
  second = await currentTime(instance);
  await waitUntilShipped(instance);
  await close(instance);
});
afterAll(async () => {
  await opened.store.close();
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

describe('a restore to a time', () => {
  it('returns rows and objects of that time, and leaves out objects whose content is not in the archive', async () => {
    const folder = join(place, 'the first');
    const { code, output, errors } = await restore('--to-time', first, '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    const time = first.replace('T', ' ').replace('Z', '');
    expect(output).toContain(`state of ${time} UTC\n  backup `);
    expect(output).toMatch(
      / \(before-migration\) of .*\n {2}database .*\n {2}log at most .*\n {2}from folder .*\n {2}to .*\n/,
    );
    expect(output).toContain('left out, because the archive does not have their content: 2 objects\n');
    expect(output).toContain(
      `\nStart the instance: GREENROOM_DATA_DIR='${folder}' GREENROOM_BACKUP_CONTINUOUS=false greenroom start\n`,
    );
    expect(await contentsOf(folder)).toEqual({
      notes: ['first'],
      objects: {
        'base.txt': 'in the backup',
        'deleted.txt': 'in the backup, deleted later',
        'round.txt': 'in a round',
      },
      timeline: 2,
    });
  });

  it('prints sizes, free space and duration with --dry-run, and restores nothing', async () => {
    const { code, output } = await restore('--to-time', first, '--into', join(place, 'dry'), '--dry-run');
    expect(code).toBe(0);
    expect(output).toMatch(
      / {2}to read: database .* MB, log .*B, objects .*\n {2}disk: about .* needed, .* free\n {2}duration: less than a minute\n$/,
    );
    expect(await readdir(place)).not.toContain('dry');
  });

  it.each([
    ['the future', '2100-01-01T00:00:00Z', 'is in the future'],
    [
      'the time before the first backup',
      '2020-01-01T00:00:00Z',
      /has no state before .*Z: restore to that time/,
    ],
  ])('is refused for %s', async (_, time, message) => {
    const { code, errors } = await restore('--to-time', time, '--into', join(place, 'x'));
    expect([code, errors]).toEqual([1, expect.stringMatching(message)]);
  });

  it('is refused for a time that the log does not cover, with the last time that it covers', async () => {
    const [range] = await ranges();
    const { code, errors } = await restore('--to-time', new Date().toISOString(), '--into', join(place, 'x'));
    const last = `${range?.to.slice(0, 19)}Z`;
    const message = `the archive has the log until ${last}: restore to ${last} or earlier`;
    expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
  });

  it('names a missing and a truncated piece of the log, and leaves nothing behind', async () => {
    const copy = await copyOfArchive('damaged');
    const [piece = ''] = (await piecesOf(copy)).slice(-1);
    const folder = join(place, 'from-damaged');
    const bytes = await readFile(piece);
    await truncate(piece, bytes.length - 1);
    const truncated = await run('restore', copy, ...secret, '--to-time', second, '--into', folder);
    expect([truncated.code, truncated.errors]).toEqual([
      1,
      expect.stringMatching(/wal\/\d+-1\/[0-9A-F]+-[0-9A-F]+ is damaged/),
    ]);
    await rm(piece);
    const missing = await run('restore', copy, ...secret, '--to-time', second, '--into', folder);
    expect([missing.code, missing.errors]).toEqual([1, expect.stringMatching(/restore to .* or earlier/)]);
    const names = await readdir(place);
    expect(names.filter((name) => name.startsWith('from-damaged'))).toEqual([]);
  });

  it('names the last second before a gap of the log', async () => {
    const copy = await copyOfArchive('gap');
    const [piece = ''] = (await piecesOf(copy)).slice(-2, -1);
    await rm(piece);
    const { code, errors } = await run(
      'restore',
      copy,
      ...secret,
      '--to-time',
      second,
      '--into',
      join(place, 'x'),
    );
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/has a gap after .*Z: restore to .*Z or earlier\n/),
    ]);
  });
});

describe('a restore to the latest state', () => {
  it('returns everything that the archive has', async () => {
    const folder = join(place, 'latest');
    const { code, output, errors } = await restore('--latest', '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/^state of .* UTC or shortly after\n/);
    expect(await contentsOf(folder)).toMatchObject({
      notes: ['first', 'second'],
      objects: { 'base.txt': 'in the backup', 'later.txt': 'later', 'replaced.txt': 'newer' },
    });
  });
});

describe('a named backup', () => {
  it('is restored by its name, which is unique in the archive', async () => {
    const folder = join(place, 'named');
    const { code, errors } = await restore('--name', 'before-migration', '--into', folder);
    expect([code, errors]).toEqual([0, '']);
    expect(await contentsOf(folder)).toMatchObject({ notes: [] });
    const again = await run('backup', archive, ...secret, '--name', 'before-migration');
    expect([again.code, again.errors]).toEqual([
      1,
      expect.stringContaining('has the name before-migration already'),
    ]);
    expect((await run('backup', 'list', archive)).output).toMatch(/ before-migration\n/);
  });
});

describe('a restored instance', { tags: ['trial'] }, () => {
  it('has a log of its own, so that states before and after the restore can be restored', async () => {
    const folder = join(place, 'the first');
    const server = project.follow(START, { env: { GREENROOM_DATA_DIR: folder } });
    await server.waitFor(/^ready /m);
    const instance = await connect(folder);
    await until(() => instance.shipper.status.connection === 'streaming');
    const env = { GREENROOM_DATA_DIR: folder };
    const backup = await project.run(['backup', archive, ...secret], { input: '', env });
    expect([backup.code, backup.errors]).toEqual([0, '']);
    await insert(instance, 'third');
    third = await currentTime(instance);
    await insert(instance, 'fourth');
    await waitUntilShipped(instance);
    await close(instance);
    const exited = once(server.child, 'exit');
    server.child.kill('SIGTERM');
    await exited;

    const list = await run('backup', 'list', archive);
    const range = /^any second from \d{4}-.{14} to \d{4}-.{14} \(UTC\) can be restored$/gm;
    expect(list.output.match(range)).toHaveLength(2);
    const contains = ({ from, to }: { from: string; to: string }) =>
      new Date(third) >= new Date(from) && new Date(third) <= new Date(to);
    expect((await ranges()).map(contains)).toEqual([false, true]);

    const after = join(place, 'third');
    expect(await restore('--to-time', third, '--into', after)).toMatchObject({ code: 0, errors: '' });
    expect(await contentsOf(after)).toMatchObject({ notes: ['first', 'third'], timeline: 3 });
  });

  it('continues on another timeline than one that was restored from the same log', async () => {
    const folder = join(place, 'again');
    expect(await restore('--to-time', second, '--into', folder)).toMatchObject({ code: 0, errors: '' });
    expect(await contentsOf(folder)).toMatchObject({ notes: ['first', 'second'], timeline: 3 });
  });

  it('is refused for a time between both logs', async () => {
    const [before, after] = await ranges();
    const between = new Date(
      (Date.parse(before?.to ?? '') + Date.parse(after?.from ?? '')) / 2,
    ).toISOString();
    const { code, errors } = await restore('--to-time', between, '--into', join(place, 'x'));
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(
        /ends at .*, and backup .* belongs to a restored database: restore to .* or later/,
      ),
    ]);
  });
});

describe('the instance of the project', () => {
  it('is started after its restore', async () => {
    await project.stop();
    const server = project.follow(['restore', archive, ...secret, '--to-time', first, '--force']);
    try {
      const printed = await server.waitFor(/^ready /m);
      expect(printed).toMatch(/\nrestored [\s\S]*\nthe former data is in \.greenroom\.before-\d{8}T\d{6}Z; /);
      expect(printed).not.toContain('Start the instance');
      expect(await project.query('select text from notes')).toEqual([{ text: 'first' }]);
    } finally {
      const exited = once(server.child, 'exit');
      server.child.kill('SIGTERM');
      await exited;
    }
  });

  it('is not started with --no-start', async () => {
    const { code, output, errors } = await restore('--latest', '--force', '--no-start');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(/\nStart the instance: greenroom start\n$/);
  });
});
