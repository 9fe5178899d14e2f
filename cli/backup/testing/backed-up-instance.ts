/** A running instance that is backed up continuously, and its archive. */
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  ArchivedLog,
  type ArchiveStore,
  checkArchive,
  createChunkReader,
  type LogLineage,
  listBackups,
  openArchive,
  parseContentEntry,
  readHead,
  readRound,
} from '@greenroom/backup';
import { readInstanceRecord } from '@greenroom/data-folder';
import { openDatabase } from '@greenroom/postgres';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect, vi } from 'vitest';
import { createProjectInstance } from '../../testing/project-instance.ts';

const START = ['start', '--services', 'auth,data,storage'];
const SCHEMA = `
create table public.notes (id bigint generated always as identity primary key, text text not null);
insert into storage.buckets (id, name) values ('files', 'files');
`;
export const PASSPHRASE = 'a long passphrase';
/** Backups have a lower priority, so on a busy machine they take minutes. */
export const LONG = { timeout: 240_000, interval: 200 };
vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 });

type Project = Awaited<ReturnType<typeof createProjectInstance>>;

/** An instance of a project. */
export interface BackedUpInstance extends AsyncDisposable {
  project: Project;
  dataFolder: string;
  /** Starts the instance. */
  start(env: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
  /** Returns the state of backups in `/health`. */
  health(): Promise<{ state: string; newestBackup?: string; verifiedBackup?: string }>;
  /** Returns a metric of backups; undefined if it has no value. */
  metric(name: string): Promise<number | undefined>;
  /** Queries its database as the superuser. */
  administer(sql: string): Promise<Record<string, unknown>[]>;
  insert(text: string): Promise<void>;
  upload(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Resolves when the newest backup has passed its verification. */
  waitUntilVerified(): Promise<void>;
  /** Resolves when all rows and objects of now are in the archive. */
  waitUntilStored(store: ArchiveStore): Promise<void>;
  /** Resolves when a line of the log has the text. */
  waitForLog(text: string): Promise<void>;
}

/** Creates a project whose migrations make a table `notes` and a bucket `files`. */
export async function createBackedUpInstance(config = ''): Promise<BackedUpInstance> {
  const project = await createProjectInstance({ 'config.toml': config, 'migrations/1_notes.sql': SCHEMA });
  const dataFolder = join(project.folder, '.greenroom');
  let url = '';
  let admin: SupabaseClient | undefined;
  const client = () => {
    if (admin === undefined) throw new Error('the instance was not started');
    return admin;
  };
  const health: BackedUpInstance['health'] = async () => {
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    return (await response.json()).backup;
  };
  const files = () => client().storage.from('files');
  return {
    project,
    dataFolder,
    async start(env) {
      await project.spawn(START, { env: { LOG_LEVEL: 'info', ...env } }).waitFor(/^ready /m);
      ({ url, client: admin } = await connect(dataFolder));
    },
    stop: () => project.stop(),
    health,
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text();
      const line = text.split('\n').find((each) => each.startsWith(`greenroom_backup_${name} `));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    },
    async administer(text) {
      const { credentials } = (await readInstanceRecord(dataFolder)) ?? {};
      const database = openDatabase({
        url: credentials?.adminDatabaseUrl ?? '',
        max: 1,
        applicationName: 'test',
      });
      return database.query({ text }).finally(() => database.close());
    },
    insert: async (text) => expect((await client().from('notes').insert({ text })).error).toBeNull(),
    upload: async (path, text) =>
      expect((await files().upload(path, text, { upsert: true })).error).toBeNull(),
    remove: async (path) => expect((await files().remove([path])).error).toBeNull(),
    waitUntilVerified: () =>
      vi.waitFor(async () => {
        const { newestBackup, verifiedBackup } = await health();
        // The log explains a failure.
        expect(newestBackup, project.printed()).toBeDefined();
        expect(verifiedBackup, project.printed()).toBe(newestBackup);
      }, LONG),
    async waitUntilStored(store) {
      const [row] = await project.query('select clock_timestamp() as time');
      await vi.waitFor(async () => {
        const { lineage } = await storedIn(store);
        const head = await readHead(store, lineage);
        expect(head?.coveredTime.getTime()).toBeGreaterThan(Number(row?.time));
        expect(head?.contentTime?.getTime()).toBeGreaterThan(Number(row?.time));
      }, LONG);
    },
    waitForLog: (text) => vi.waitFor(() => expect(project.printed()).toContain(text), LONG),
    [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
  };
}

async function connect(dataFolder: string): Promise<{ url: string; client: SupabaseClient }> {
  const { apiUrl = '', credentials } = (await readInstanceRecord(dataFolder)) ?? {};
  const client = createClient(apiUrl, credentials?.apiKeys.secret ?? '', { auth: { persistSession: false } });
  return { url: apiUrl, client };
}

/** Returns the opened archive, its newest backup, and the log of that. */
export async function storedIn(store: ArchiveStore) {
  const archive = await openArchive(store, { secrets: { passphrase: PASSPHRASE } });
  const { backups } = await listBackups(store);
  const manifest = backups.at(-1)?.manifest;
  if (manifest?.kind !== 'physical') throw new Error('no backup');
  return { archive, backups, manifest, lineage: manifest as LogLineage };
}

/** Returns the texts of all contents that were stored in rounds, with their keys. */
export async function shippedTexts(store: ArchiveStore): Promise<string[]> {
  const { archive, lineage } = await storedIn(store);
  const reader = createChunkReader(archive);
  const texts: string[] = [];
  for await (const batch of store.list(`content/${lineage.systemId}-${lineage.timeline}/`)) {
    for (const { name } of batch) {
      for (const { key, pieces } of await readRound(archive, name, parseContentEntry))
        texts.push(`${key}: ${await buffer(reader.stream(pieces))}`);
    }
  }
  return texts;
}

/** Requires an archive without damage, whose log continues the newest backup to the end of the head without a gap. */
export async function requireComplete(store: ArchiveStore): Promise<void> {
  const { archive, manifest, lineage } = await storedIn(store);
  expect((await checkArchive(store, archive)).damages).toEqual([]);
  const head = await readHead(store, lineage);
  const log = await ArchivedLog.open(archive, lineage);
  expect(log.coveredUntil(BigInt(`0x${manifest.stopLsn}`))).toBeGreaterThanOrEqual(head?.position ?? 0n);
}

/** Restores the newest state, or that of other options, and returns the notes and the texts of objects that a new instance on it serves. */
export async function restoredState(
  project: Project,
  { env, folder, args = [] }: { env: Record<string, string>; folder: string; args?: string[] },
): Promise<{ notes: string[]; objects: Record<string, string> }> {
  const { code, errors } = await project.run(['restore', '--into', folder, '--no-start', ...args], {
    input: '',
    env,
  });
  expect([code, errors]).toEqual([0, '']);
  const server = project.follow(START, { env: { GREENROOM_DATA_DIR: folder } });
  try {
    await server.waitFor(/^ready /m);
    const { client } = await connect(folder);
    return await stateOf(client);
  } finally {
    const exited = new Promise((resolve) => server.child.once('exit', resolve));
    server.child.kill('SIGTERM');
    await exited;
  }
}

/** Returns all notes, and the texts of all objects. */
async function stateOf(client: SupabaseClient) {
  const { data: notes } = await client.from('notes').select('text').order('id').limit(100_000);
  const bucket = client.storage.from('files');
  const { data: list } = await bucket.list('', { limit: 1000 });
  const objects: Record<string, string> = {};
  for (const { name } of list ?? []) {
    const { data } = await bucket.download(name);
    objects[name] = (await data?.text()) ?? '';
  }
  return { notes: (notes ?? []).map(({ text }) => String(text)), objects };
}
