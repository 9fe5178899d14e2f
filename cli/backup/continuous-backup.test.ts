/** The continuous backup of a running instance: its agent, the stored log and content, and its reports. */
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  ArchivedLog,
  createChunkReader,
  type LogLineage,
  listBackups,
  openArchive,
  openStore,
  parseContentEntry,
  readHead,
  readRound,
} from '@greenroom/backup';
import { readInstanceRecord } from '@greenroom/data-folder';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createProjectInstance } from '../testing/project-instance.ts';

const FILES = `insert into storage.buckets (id, name) values ('files', 'files');`;
const PASSPHRASE = 'a long passphrase';
const START = ['start', '--services', 'auth,storage'];
/** A backup with its verification takes some seconds on a busy machine. */
const LONG = { timeout: 110_000, interval: 100 };

let project: Awaited<ReturnType<typeof createProjectInstance>>;
let place: string;
let env: Record<string, string>;
let url: string;
let admin: SupabaseClient;
let serverPid: number | undefined;

async function start(changes: Record<string, string> = {}): Promise<void> {
  const server = project.spawn(START, { env: { ...env, ...changes } });
  await server.waitFor(/^ready /m);
  serverPid = server.child.pid;
  const record = await readInstanceRecord(join(project.folder, '.greenroom'));
  url = record?.apiUrl ?? '';
  admin = createClient(url, record?.credentials?.apiKeys.secret ?? '', { auth: { persistSession: false } });
}

const health = async () => (await (await fetch(`${url}/health`)).json()).backup;

async function metric(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^greenroom_backup_${name} (.+)$`, 'm').exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

async function upload(path: string, text: string): Promise<void> {
  const { error } = await admin.storage.from('files').upload(path, text, { upsert: true });
  expect(error).toBeNull();
}

/** Returns the archive, the log that is being shipped, and the newest backup. */
async function stored() {
  const store = await openStore(join(place, 'archive'));
  const archive = await openArchive(store, { secrets: { passphrase: PASSPHRASE } });
  const { backups } = await listBackups(store);
  const manifest = backups.at(-1)?.manifest;
  if (manifest?.kind !== 'physical') throw new Error('no backup');
  return { archive, manifest, lineage: manifest as LogLineage, check: backups.at(-1)?.check };
}

/** Returns the texts of all contents that were stored in rounds, with their keys. */
async function shippedTexts(): Promise<string[]> {
  const { archive, lineage } = await stored();
  const reader = createChunkReader(archive);
  const texts: string[] = [];
  for await (const batch of archive.store.list(`content/${lineage.systemId}-${lineage.timeline}/`)) {
    for (const { name } of batch) {
      for (const { key, pieces } of await readRound(archive, name, parseContentEntry))
        texts.push(`${key}: ${await buffer(reader.stream(pieces))}`);
    }
  }
  return texts.toSorted();
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'greenroom-continuous-'));
  await writeFile(join(place, 'passphrase'), `${PASSPHRASE}\n`, { mode: 0o600 });
  env = {
    GREENROOM_BACKUP_URL: join(place, 'archive'),
    GREENROOM_BACKUP_PASSPHRASE_FILE: join(place, 'passphrase'),
    GREENROOM_BACKUP_LAG_SECONDS: '1',
    GREENROOM_BACKUP_MAX_RATE: '40',
    LOG_LEVEL: 'info',
  };
  project = await createProjectInstance({ 'config.toml': '', 'migrations/1_files.sql': FILES });
  await start();
});
afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(place, { recursive: true });
});

describe('an instance with an archive', () => {
  it('creates the first backup at once, verifies it, and reports both', async () => {
    await vi.waitFor(async () => {
      const { verifiedBackup, newestBackup, state } = await health();
      expect([state, verifiedBackup]).toEqual(['ok', newestBackup]);
      expect(newestBackup).toMatch(/^\d{4}-/);
    }, LONG);
    const { check, manifest } = await stored();
    expect(check).toMatchObject({ method: 'restored', problems: [] });
    expect(await metric('newest_timestamp_seconds')).toBe(new Date(manifest.createdAt).getTime() / 1000);
    expect(await metric('archive_up')).toBe(1);
    expect(await metric('lag_seconds')).toBeLessThan(60);
    expect(await readdir(join(project.folder, '.greenroom'))).not.toContain('verifying');
  });

  it('reads no more for a full backup in a second than its setting allows', async () => {
    const { createdAt, finishedAt, databaseBytes } = (await stored()).manifest;
    const seconds = (Date.parse(finishedAt) - Date.parse(createdAt)) / 1000;
    expect(databaseBytes / seconds).toBeLessThan(40_000_000);
  });

  it('stores each commit and the content of each object, also of objects that were deleted since', async () => {
    await upload('kept.txt', 'kept');
    await upload('replaced.txt', 'first');
    await upload('replaced.txt', 'second');
    await upload('deleted.txt', 'deleted');
    await admin.storage.from('files').remove(['deleted.txt']);
    const [row] = await project.query(
      'select pg_current_wal_flush_lsn() - $$0/0$$ as position, now() as time',
    );
    const written = row?.time as Date;
    const { archive, lineage, manifest } = await stored();
    await vi.waitFor(async () => {
      const head = await readHead(archive.store, lineage);
      expect(head?.coveredTime.getTime()).toBeGreaterThan(written.getTime());
      expect(head?.contentTime?.getTime()).toBeGreaterThan(written.getTime());
    }, LONG);
    const log = await ArchivedLog.open(archive, lineage);
    expect(log.coveredUntil(BigInt(`0x${manifest.stopLsn}`))).toBeGreaterThanOrEqual(
      BigInt(String(row?.position)),
    );
    expect(await shippedTexts()).toEqual([
      'deleted.txt: deleted',
      'kept.txt: kept',
      'replaced.txt: first',
      'replaced.txt: second',
    ]);
    await vi.waitFor(async () => expect(await filesOfObjects()).toHaveLength(2));
    expect([await metric('waiting_objects'), await metric('held_objects')]).toEqual([0, 0]);
  });

  it('stores objects whose metadata SQL makes longer than a round, and other objects', async () => {
    await project.query(`create function public.lengthen() returns trigger language plpgsql as $$
      begin new.metadata := new.metadata || jsonb_build_object('note', repeat('"', 2000000)); return new; end $$`);
    await project.query(`create trigger lengthen before insert on storage.objects for each row
      when (new.name like 'long-%') execute function public.lengthen()`);
    const keys = Array.from({ length: 10 }, (_, index) => `long-${index}.txt`);
    await Promise.all(keys.map((key) => upload(key, key)));
    await upload('other.txt', 'other');
    await project.query('drop function public.lengthen cascade');
    const expected = [...keys.map((key) => `${key}: ${key}`), 'other.txt: other'];
    await vi.waitFor(
      async () => expect(await shippedTexts()).toEqual(expect.arrayContaining(expected)),
      LONG,
    );
    expect((await health()).state).toBe('ok');
    await admin.storage.from('files').remove([...keys, 'other.txt']);
  });

  it('stores the rest before it stops, and continues without a gap and without another backup', async () => {
    await upload('last.txt', 'last');
    const [row] = await project.query('select now() as time');
    await project.stop();
    const { archive, lineage, manifest } = await stored();
    const head = await readHead(archive.store, lineage);
    expect(head?.coveredTime.getTime()).toBeGreaterThan(Number(row?.time));
    expect(await shippedTexts()).toContain('last.txt: last');
    await start();
    await vi.waitFor(async () => expect((await health()).state).toBe('ok'), LONG);
    await upload('later.txt', 'later');
    await vi.waitFor(async () => expect(await shippedTexts()).toContain('later.txt: later'), LONG);
    const log = await ArchivedLog.open(archive, lineage);
    const newer = await readHead(archive.store, lineage);
    expect(log.coveredUntil(BigInt(`0x${manifest.stopLsn}`))).toBe(newer?.position);
    expect((await stored()).manifest.id).toBe(manifest.id);
  });

  it('has an agent of the same priority, so that the lag does not grow on a busy machine', async () => {
    expect(getPriority(await agentPid())).toBe(getPriority(serverPid));
  });

  it('starts an agent that was killed again, which continues', async () => {
    const before = await agentPid();
    process.kill(before, 'SIGKILL');
    await upload('after-kill.txt', 'after kill');
    await vi.waitFor(async () => expect(await shippedTexts()).toContain('after-kill.txt: after kill'), LONG);
    expect(await agentPid()).not.toBe(before);
    expect(project.printed()).toContain('the backup agent has ended; it is started again');
  });

  it('goes on serving while its archive is away, reports that, and catches up', async () => {
    await moveArchiveAway();
    await upload('meanwhile.txt', 'meanwhile');
    await admin.storage.from('files').remove(['meanwhile.txt']);
    await vi.waitFor(async () => expect(await metric('archive_up')).toBe(0), LONG);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await metric('held_objects')).toBe(1);
    await moveArchiveBack();
    await vi.waitFor(async () => expect(await shippedTexts()).toContain('meanwhile.txt: meanwhile'), LONG);
    await vi.waitFor(async () => expect(await metric('archive_up')).toBe(1), LONG);
    expect(await metric('held_objects')).toBe(0);
  });

  it('stores objects that were deleted before a kill while its archive was away, and then removes their content', async () => {
    const before = (await filesOfObjects()).length;
    await moveArchiveAway();
    await upload('before-kill.txt', 'before kill');
    await admin.storage.from('files').remove(['before-kill.txt']);
    process.kill(serverPid ?? 0, 'SIGKILL');
    await start();
    expect(await metric('held_objects')).toBe(1);
    expect(await filesOfObjects()).toHaveLength(before + 1);
    await moveArchiveBack();
    await vi.waitFor(
      async () => expect(await shippedTexts()).toContain('before-kill.txt: before kill'),
      LONG,
    );
    await vi.waitFor(async () => expect(await filesOfObjects()).toHaveLength(before), LONG);
    expect(await metric('held_objects')).toBe(0);
  });
});

it('an instance whose backups are switched off keeps no log for them', async () => {
  const slots = () =>
    project.query(`select slot_name from pg_replication_slots where slot_name = 'greenroom_backup'`);
  expect(await slots()).toHaveLength(1);
  await project.stop();
  await start({ GREENROOM_BACKUP_CONTINUOUS: 'false' });
  await vi.waitFor(async () => expect(await slots()).toEqual([]));
  expect(await health()).toBeUndefined();
});

async function moveArchiveAway(): Promise<void> {
  await rename(join(place, 'archive'), join(place, 'moved'));
  // A folder in its place would be a new archive.
  await writeFile(join(place, 'archive'), '');
}

async function moveArchiveBack(): Promise<void> {
  await rm(join(place, 'archive'));
  await rename(join(place, 'moved'), join(place, 'archive'));
}

async function filesOfObjects(): Promise<string[]> {
  const entries = await readdir(join(project.folder, '.greenroom', 'storage', 'objects'), {
    recursive: true,
    withFileTypes: true,
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Returns the process that streams the log. */
async function agentPid(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const parent = /^PPid:\s+(\d+)$/m.exec(
      await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''),
    )?.[1];
    if (command.includes('agent-process') && Number(parent) === serverPid) return Number(pid);
  }
  throw new Error('no agent runs');
}
