/** Every kind of file in an archive, damaged in every way: each use of the archive names it or does not need it. */
import { randomUUID } from 'node:crypto';
import { chmod, cp, link, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  type EmbeddedPostgres,
  openDatabase,
  SEGMENT_BYTES,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Archive } from './archive/archive.ts';
import { listBackups, readManifest } from './archive/backups/backups.ts';
import { writeCheck } from './archive/backups/check-result.ts';
import type { Manifest, PhysicalManifest } from './archive/backups/manifest.ts';
import { encodeChecked } from './archive/checked-json.ts';
import { chunkName } from './archive/chunks/chunk-ids.ts';
import { createChunkReader } from './archive/chunks/chunk-reader.ts';
import { readIndex } from './archive/chunks/index-file.ts';
import { readRound } from './archive/content/round.ts';
import { checkName, lineageOf, manifestName, referencesName } from './archive/layout.ts';
import { acquireLease } from './archive/lease/lease.ts';
import { createTestArchive, createTestFolder, type TestFolder } from './archive/testing/archives.ts';
import type { ContentRow } from './content/backup-content.ts';
import { parseContentEntry } from './content/content-index.ts';
import { entriesOf, restoreContent } from './content/restore-content.ts';
import { RoundWriter } from './continuous/round-writer.ts';
import { createBackup } from './create/create-backup.ts';
import { parseDatabaseEntry } from './database/database-index.ts';
import { physicalSource } from './database/physical-source.ts';
import { basesOf } from './restore/bases.ts';
import { restoreFiles } from './restore/restore-backup.ts';
import { planOwnState } from './restore/restore-plan.ts';
import { prune } from './retention/prune.ts';
import { openFolderStore } from './store/folder.ts';
import { listAll } from './store/list-all.ts';
import { checkArchive } from './verify/check-archive.ts';
import { ArchivedLog, listPieces } from './wal/archived-log.ts';
import { readHead, writeHead } from './wal/head.ts';
import { readLogMark } from './wal/log-mark.ts';
import { pieceName } from './wal/pieces.ts';
import { LogShipper } from './wal/shipper.ts';
import { readStoredLogs } from './wal/stored-logs.ts';

const SECRETS = { passphrase: 'test' };
const PASSWORD = 'test';
const SECOND_MS = 1000;
const DAY_MS = 24 * 3_600_000;

/** Uses of an archive. */
interface Uses {
  /** Opening it with its passphrase. */
  open: string;
  list: string;
  check: string;
  /** A plan of removals, which needs no key. */
  prune: string;
  /** Restoring the content of the backup. */
  content: string;
  /** Reading the log after the backup. */
  log: string;
  /** Reading the rounds of content after the backup. */
  rounds: string;
  /** Starting work that no other process may do meanwhile, e.g. a pruning. */
  lease: string;
}
type Use = keyof Uses | 'files';

/** Uses that do not need a file are fine; `files` is the restore of the database and of the settings. */
const FINE: Uses = {
  open: '',
  list: '',
  check: '',
  prune: '',
  content: '',
  log: '',
  rounds: '',
  lease: '',
};
const NEED_KEY: readonly Use[] = ['open', 'check', 'files', 'content', 'log', 'rounds'];

/** Ways in which a file is damaged. */
const FAULTS = ['changed', 'cut off', 'emptied', 'removed', 'replaced by another of its kind'] as const;
type Fault = (typeof FAULTS)[number];

interface Kind {
  name: string;
  /** Uses that report a damage of this kind. */
  noticedBy: readonly Use[];
  /** Uses that report it for some faults only, and why. */
  except?: Partial<Record<Fault, { noticedBy: readonly Use[]; because: string }>>;
  /** Text of the report instead of the name of the file. */
  reportedAs?: Partial<Record<Fault, string>>;
  /** Uses that notice a fault only in some parts of the file. */
  sometimes?: Partial<Record<Fault, readonly Use[]>>;
}

/** The expected outcomes. */
const KINDS = {
  description: {
    name: 'the description of the archive',
    noticedBy: NEED_KEY,
    reportedAs: { removed: 'archive.json is missing', 'replaced by another of its kind': 'keys/' },
  },
  key: { name: 'the key', noticedBy: NEED_KEY },
  manifest: {
    name: 'a manifest',
    noticedBy: ['list', 'check', 'prune', 'files', 'content'],
    // Without a key, the seal of a manifest is not read.
    sometimes: { changed: ['list', 'prune'] },
    except: {
      removed: { noticedBy: ['files', 'content'], because: 'the backup does not exist without its manifest' },
    },
  },
  references: { name: 'a list of references', noticedBy: ['check', 'prune'] },
  result: {
    name: 'the result of a check',
    noticedBy: ['check'],
    except: { removed: { noticedBy: [], because: 'the backup counts as not verified' } },
  },
  databaseIndex: { name: 'a chunk of the index of the database', noticedBy: ['check', 'files'] },
  databaseChunk: { name: 'a chunk of the database', noticedBy: ['check', 'files'] },
  settingsIndex: { name: 'a chunk of the index of the settings', noticedBy: ['check', 'files'] },
  contentIndex: { name: 'a chunk of the index of the content', noticedBy: ['check', 'content'] },
  contentChunk: { name: 'a chunk of the content', noticedBy: ['check', 'content'] },
  roundChunk: { name: 'a chunk of a round', noticedBy: ['check', 'rounds'] },
  round: {
    name: 'a round of content',
    noticedBy: ['check', 'rounds', 'prune'],
    // Without a key, only the references of a round are read.
    sometimes: {
      changed: ['prune'],
      'cut off': ['prune'],
      'replaced by another of its kind': ['prune'],
    },
    except: {
      removed: { noticedBy: [], because: 'rounds have no list; a restore reports rows without content' },
    },
  },
  piece: {
    name: 'a piece of the log',
    noticedBy: ['check', 'log'],
    reportedAs: { removed: 'is missing' },
  },
  lastPiece: {
    name: 'the last piece of the log',
    noticedBy: ['check', 'log'],
    reportedAs: { removed: 'is missing' },
    except: {
      removed: { noticedBy: ['check'], because: 'only the head names the end of the log' },
    },
  },
  head: {
    name: 'the head of the log',
    noticedBy: ['check'],
    except: { removed: { noticedBy: [], because: 'the next piece writes another one' } },
  },
  lease: {
    name: 'a lease',
    noticedBy: ['lease'],
    reportedAs: {
      changed: 'is in use by another process',
      'cut off': 'is in use by another process',
      emptied: 'is in use by another process',
    },
    except: {
      removed: { noticedBy: [], because: 'nothing was running' },
      'replaced by another of its kind': { noticedBy: [], because: 'the other lease has ended as well' },
    },
  },
} as const satisfies Record<string, Kind>;
type KindName = keyof typeof KINDS;

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
/** The undamaged archive, and another one that has files of each kind as well. */
let whole: TestFolder;
let other: TestFolder;
let manifest: PhysicalManifest;
let names: Record<KindName, string>;
/** Paths of files that replace those of each kind. */
let replacements: Record<KindName, string>;
let end: bigint;
/** A copy of the archive. */
let copy: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom damaged-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    findTemplate: findEmptyCluster,
  });
  database = openDatabase({ url: postgres.superuser.localUrl, max: 2, applicationName: 'test' });
  await database.query({ text: 'create table notes as select i from generate_series(1, 1000) i' });
  await writeFile(join(folder, 'keys.json'), '{"a":"key"}');
  [whole, other] = [await createTestFolder(), await createTestFolder()];
  await fill(whole);
  await fill(other);
  names = await namesIn(whole);
  manifest = (await readManifest(await open(whole.folder), backupOf(names.manifest))) as PhysicalManifest;
  replacements = await replacementsOf();
}, 120_000);
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await whole.close();
  await other.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  copy = join(folder, randomUUID());
  for (const { name } of await listAll(whole.store, '')) {
    await mkdir(dirname(join(copy, name)), { recursive: true });
    await link(join(whole.folder, name), join(copy, name));
  }
});
afterEach(() => rm(copy, { recursive: true, force: true }));

const open = (path: string) => createTestArchive(openFolderStore(path), SECRETS);
const backupOf = (name: string) => name.replace(/^backups\//, '').replace(/\.json$/, '');

/** Writes two backups with content, log after them, a round, results of checks, and leases that have ended. */
async function fill({ store }: TestFolder): Promise<void> {
  const archive = await createTestArchive(store, SECRETS);
  const contents = new Map<string, Buffer>();
  const add = (bucket: string) => {
    const row = { version: randomUUID(), bucket, key: `${contents.size}`, metadata: null };
    contents.set(row.version, Buffer.from(`content ${row.version}`));
    return row;
  };
  const rows = [add('b'), add('b')].toSorted((a, b) => (a.version < b.version ? -1 : 1));
  const openContent = async ({ version }: ContentRow) => {
    const content = contents.get(version);
    return content && Readable.from([content]);
  };
  const shipper = new LogShipper({
    archive,
    url: postgres.superuser.localUrl,
    slot: 'test',
    lagMs: 20,
    readMark: () => readLogMark(database),
    onReport: () => {},
  });
  const lease = await acquireLease(store, 'log', { holder: 'test', purpose: 'a test' });
  let newest: Manifest | undefined;
  for (let count = 0; count < 2; count++) {
    newest = await createBackup({
      archive,
      instance: {},
      database: physicalSource(postgres.superuser.localUrl),
      postgresVersion: '18',
      greenroomVersion: '1',
      content: {
        async *rows() {
          yield* rows;
        },
        open: openContent,
      },
      dataFolder: folder,
    });
    const check = { checkedAt: new Date().toISOString(), greenroomVersion: '1', method: 'restored' } as const;
    await writeCheck(archive, newest.id, { ...check, problems: [] });
    // Ids of one second have any order.
    await sleep(SECOND_MS - (Date.now() % SECOND_MS));
  }
  if (newest?.kind !== 'physical') throw new Error('no backup');
  const lineage = lineageOf(newest);
  const rounds = new RoundWriter(archive, lineage, openContent);
  for (const bucket of ['c', 'd']) await rounds.write([add(bucket)]);
  for (let count = 0; count < 3; count++) {
    // A piece of this size is not replaced by a longer one.
    await database.query({ text: `select pg_logical_emit_message(false, 'test', repeat('x', 300000))` });
    const { position } = await readLogMark(database);
    await vi.waitFor(() => expect(shipper.status.position).toBeGreaterThanOrEqual(position), 30_000);
  }
  await shipper.close();
  await lease.release();
  await database.query({ text: `select pg_drop_replication_slot('test')` });
  await chmod(join(folder, 'keys.json'), 0o600);
}

/** Returns a file of each kind that the newest backup or the log after it needs. */
async function namesIn({ store, folder: place }: TestFolder): Promise<Record<KindName, string>> {
  const archive = await open(place);
  const all = (await listAll(store, '')).map(({ name }) => name);
  const find = (pattern: RegExp) => all.find((name) => pattern.test(name)) ?? '';
  const { backups } = await listBackups(store);
  const newest = backups.at(-1);
  if (newest?.manifest.kind !== 'physical') throw new Error('no backup');
  const { id, manifest: found } = newest;
  const reader = createChunkReader(archive);
  const { database: databaseIndex = [], settings = [] } = found.indexes;
  const [contentIndex = ''] =
    Object.entries(found.indexes).find(([name]) => name.startsWith('content/'))?.[1] ?? [];
  const chunkOf = async (
    ids: readonly string[],
    parse: typeof parseDatabaseEntry | typeof parseContentEntry,
  ) => {
    for await (const { pieces } of readIndex(reader, ids, parse as typeof parseDatabaseEntry))
      if (pieces?.[0] !== undefined) return chunkName(pieces[0][0]);
    return '';
  };
  const round = find(/^content\//);
  const [entry] = await readRound(archive, round, parseContentEntry);
  const pieces = await listPieces(store, found);
  const [piece, lastPiece] = [pieces.at(-2), pieces.at(-1)];
  if (piece === undefined || lastPiece === undefined) throw new Error('no log');
  end = lastPiece.end;
  return {
    description: 'archive.json',
    key: find(/^keys\//),
    manifest: manifestName(id),
    references: referencesName(id),
    result: checkName(id),
    databaseIndex: chunkName(databaseIndex[0] ?? ''),
    databaseChunk: await chunkOf(databaseIndex, parseDatabaseEntry),
    settingsIndex: chunkName(settings[0] ?? ''),
    contentIndex: chunkName(contentIndex),
    contentChunk: await chunkOf([contentIndex], parseContentEntry),
    roundChunk: chunkName(entry?.pieces[0]?.[0] ?? ''),
    round,
    piece: pieceName(found, piece),
    lastPiece: pieceName(found, lastPiece),
    head: `wal/${lineageOf(found)}/head.json`,
    lease: find(/^leases\/log\//),
  };
}

/** Files of the other archive where the archive has one of a kind, otherwise its own ones. */
async function replacementsOf(): Promise<Record<KindName, string>> {
  const [first] = (await listBackups(whole.store)).backups;
  const all = (await listAll(whole.store, '')).map(({ name }) => name);
  const own = (name: string) => join(whole.folder, name);
  const anotherOf = (name: string, prefix: string) =>
    own(all.find((each) => each.startsWith(prefix) && each !== name && !each.endsWith('head.json')) ?? '');
  const id = first?.id ?? '';
  const otherKey = (await listAll(other.store, 'keys/'))[0]?.name ?? '';
  const otherLog = { systemId: '7', timeline: 1 };
  const head = await readHead(whole.store, manifest);
  if (head === undefined) throw new Error('no head');
  await writeHead(await open(other.folder), otherLog, head);
  const chunk = (name: string) =>
    own(name === names.databaseChunk ? names.contentChunk : names.databaseChunk);
  return {
    description: join(other.folder, 'archive.json'),
    key: join(other.folder, otherKey),
    manifest: own(manifestName(id)),
    references: own(referencesName(id)),
    result: own(checkName(id)),
    databaseIndex: chunk(names.databaseIndex),
    databaseChunk: chunk(names.databaseChunk),
    settingsIndex: chunk(names.settingsIndex),
    contentIndex: chunk(names.contentIndex),
    contentChunk: chunk(names.contentChunk),
    roundChunk: chunk(names.roundChunk),
    round: anotherOf(names.round, 'content/'),
    piece: anotherOf(names.piece, 'wal/'),
    lastPiece: anotherOf(names.lastPiece, 'wal/'),
    head: join(other.folder, `wal/${lineageOf(otherLog)}/head.json`),
    lease: anotherOf(names.lease, 'leases/maintenance/'),
  };
}

/** Damages a file of the copy; a change is repeated at several positions. */
async function* damage(kind: KindName, fault: Fault): AsyncGenerator<string> {
  const path = join(copy, names[kind]);
  const bytes = await readFile(path);
  // The file itself is a link to that of the undamaged archive.
  await rm(path);
  if (fault === 'changed') {
    for (const at of [1 / 4, 3 / 4].map((part) => Math.floor(part * bytes.length))) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path, changed);
      yield `bit at ${at} of ${bytes.length}`;
    }
    return;
  }
  if (fault === 'cut off') await writeFile(path, bytes.subarray(0, bytes.length >> 1));
  else if (fault === 'emptied') await writeFile(path, '');
  else if (fault === 'replaced by another of its kind')
    await writeFile(path, await readFile(replacements[kind]));
  yield fault;
}

/** Returns the message of an error; empty if the work succeeds. */
const messageOf = (work: () => Promise<unknown>) =>
  work().then(
    () => '',
    (error: Error) => error.message,
  );

/** Uses the damaged archive in each way. */
async function useAll(): Promise<Uses> {
  const store = openFolderStore(copy);
  let archive: Archive | undefined;
  const opened = await messageOf(async () => {
    archive = await open(copy);
  });
  const withArchive = (work: (opened: Archive) => Promise<unknown>) =>
    archive === undefined ? opened : messageOf(() => work(archive as Archive));
  const { unreadable } = await listBackups(store);
  return {
    open: opened,
    list: unreadable.map(({ error }) => error.message).join('\n'),
    prune: await messageOf(() =>
      prune(store, {
        policy: { hourly: 0, daily: 1000, weekly: 0, monthly: 0 },
        holder: 'test',
        dryRun: true,
        now: new Date(Date.now() + DAY_MS),
      }),
    ),
    check: await withArchive(async (each) => {
      const { damages } = await checkArchive(store, each);
      if (damages.length > 0)
        throw new Error(damages.map(({ name, message }) => `${name} ${message}`).join('\n'));
    }),
    content: await withArchive(readContent),
    log: await withArchive(readLog),
    rounds: await withArchive(readRounds),
    lease: await messageOf(async () => {
      const lease = await acquireLease(store, 'log', { holder: 'test', purpose: 'a test' });
      await lease.release();
    }),
  };
}

async function readContent(archive: Archive): Promise<void> {
  const { indexes } = await readManifest(archive, manifest.id);
  const reader = createChunkReader(archive);
  const restored: string[] = [];
  const wanted = new Set<string>();
  for await (const { version } of entriesOf(reader, indexes)) wanted.add(version);
  await restoreContent({
    reader,
    entries: entriesOf(reader, indexes),
    wanted,
    target: {
      has: async () => false,
      async write({ version }, content) {
        restored.push(version);
        expect(String(await buffer(content))).toBe(`content ${version}`);
      },
    },
  });
  expect(restored).toHaveLength(2);
}

async function readLog(archive: Archive): Promise<void> {
  const log = await ArchivedLog.open(archive, manifest);
  const start = BigInt(`0x${manifest.stopLsn}`);
  const until = log.coveredUntil(start);
  // A part in the middle is missing.
  if (until < end && (await listPieces(archive.store, manifest)).some((piece) => piece.start > until))
    log.requireRange({ start, end });
  const read = log.segmentsUntil(until);
  const bytes = BigInt(SEGMENT_BYTES);
  for (let at = start - (start % bytes); at < until; at += bytes) await read(manifest.timeline, at);
}

async function readRounds(archive: Archive): Promise<void> {
  const reader = createChunkReader(archive);
  for (const { name } of await listAll(archive.store, 'content/'))
    for (const { version, pieces } of await readRound(archive, name, parseContentEntry))
      expect(String(await buffer(reader.stream(pieces)))).toBe(`content ${version}`);
}

/** Restores the database and the settings; resolves with the number of rows of its table. */
async function restoreRows(): Promise<unknown> {
  const target = join(folder, randomUUID());
  try {
    await restoreFiles({ archive: await open(copy), plan: planOwnState(manifest), folder: target });
    expect(await readFile(join(target, 'keys.json'), 'utf8')).toBe('{"a":"key"}');
    const server = await startEmbeddedPostgres({
      directory: join(target, 'postgres'),
      port: 0,
      portIsFixed: false,
      password: PASSWORD,
    });
    const connection = openDatabase({ url: server.superuser.localUrl, max: 1, applicationName: 'test' });
    const [row] = await connection.query({ text: 'select count(*)::int as count from notes' });
    await connection.close();
    await server.stop();
    return row?.count;
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

function expectationOf(kind: KindName, fault: Fault) {
  const { noticedBy, sometimes = {}, except = {}, reportedAs = {} }: Kind = KINDS[kind];
  return {
    noticedBy: except[fault]?.noticedBy ?? noticedBy,
    sometimes: sometimes[fault] ?? [],
    text: reportedAs[fault] ?? names[kind],
  };
}

const kindNames = Object.keys(KINDS) as KindName[];
const QUICK_FAULTS = ['removed'] as const;
const OTHER_FAULTS = FAULTS.filter((fault) => fault !== 'removed');
const casesOf = (faults: readonly Fault[]) =>
  kindNames.flatMap((kind) => faults.map((fault) => [KINDS[kind].name, fault, kind] as const));

/** Requires that each use of the archive either names the damaged file or succeeds, as the kind of the file says. */
async function requireNamed(_: string, fault: Fault, kind: KindName): Promise<void> {
  const { noticedBy, sometimes, text } = expectationOf(kind, fault);
  const named = expect.stringContaining(text);
  for await (const where of damage(kind, fault)) {
    const found = await useAll();
    const expected = Object.fromEntries(
      (Object.keys(FINE) as (keyof Uses)[]).map((use) => {
        if (sometimes.includes(use)) return [use, found[use] === '' ? '' : named];
        return [use, noticedBy.includes(use) ? named : ''];
      }),
    );
    expect(found, where).toEqual(expected);
    if (noticedBy.includes('files')) expect(await messageOf(restoreRows), where).toContain(text);
  }
}

describe('a damaged file of an archive', () => {
  it('none: each use of the undamaged archive succeeds', async () => {
    expect(await useAll()).toEqual(FINE);
  });

  it.each(casesOf(QUICK_FAULTS))(
    '%s, %s: is named by each use that needs it, and others succeed',
    requireNamed,
  );

  it.each(casesOf(OTHER_FAULTS))(
    '%s, %s: is also named by each use that needs it',
    { tags: ['trial'] },
    requireNamed,
  );

  it.each(FAULTS)('that a restore does not need, %s: does not change the restored rows', async (fault) => {
    const unneeded = kindNames.filter((kind) => !expectationOf(kind, fault).noticedBy.includes('files'));
    expect(unneeded.length).toBeGreaterThan(5);
    for (const kind of unneeded) await damage(kind, fault).next();
    expect(await restoreRows()).toBe(1000);
  });

  it('a result of a check that is damaged or that of another backup does not count', async () => {
    const checkOf = async () => {
      const { backups } = await listBackups(openFolderStore(copy));
      return backups.find(({ id }) => id === manifest.id)?.check;
    };
    expect(await checkOf()).toMatchObject({ problems: [] });
    for (const fault of FAULTS) {
      await damage('result', fault).next();
      expect(await checkOf(), fault).toBeUndefined();
      await cp(join(whole.folder, names.result), join(copy, names.result));
    }
  });
});

describe('a head that someone without a key has changed', () => {
  const LATER = new Date('2100-01-01T00:00:00.000Z');

  async function forge(keepsSeal: boolean): Promise<void> {
    const path = join(copy, names.head);
    const { checksum: _, seal, ...fields } = JSON.parse(await readFile(path, 'utf8'));
    const times = { coveredTime: LATER.toISOString(), contentTime: LATER.toISOString() };
    const file = JSON.parse(String(encodeChecked({ ...fields, ...times })));
    // The file is a link to that of the undamaged archive.
    await rm(path);
    await writeFile(path, JSON.stringify({ ...file, ...(keepsSeal && { seal }) }));
  }

  /** Returns the last time that can be restored, and the rejected heads. */
  async function lastTime(archive?: Archive): Promise<{ until: Date | undefined; rejected: string[] }> {
    const store = openFolderStore(copy);
    const rejected: string[] = [];
    const onRejected = ({ message }: Error) => rejected.push(message);
    const { backups } = await listBackups(store, { archive, onRejected });
    const logs = await readStoredLogs(store, { archive, onRejected });
    return { until: basesOf(backups, logs).at(-1)?.until, rejected };
  }

  it('is rejected by its name if its seal is wrong, and its times do not count', async () => {
    const { until: sealed, rejected: before } = await lastTime(await open(copy));
    expect([sealed?.getTime(), before]).toEqual([(await lastTime()).until?.getTime(), []]);
    expect(sealed?.getTime()).toBeGreaterThan(Date.parse(manifest.stopTime));
    await forge(true);
    const damage = expect.stringMatching(
      /^wal\/.*\/head\.json in folder .* is damaged: it was changed after it/,
    );
    expect(await lastTime(await open(copy))).toEqual({
      until: new Date(manifest.stopTime),
      rejected: [damage],
    });
    const { damages } = await checkArchive(openFolderStore(copy), await open(copy));
    expect(damages.map(({ message }) => message)).toEqual([damage]);
  });

  it('covers no time after the last commit in the log if it has no seal, and is named by a check', async () => {
    const { until: sealed } = await lastTime(await open(copy));
    await forge(false);
    const { until, rejected } = await lastTime(await open(copy));
    expect(rejected).toEqual([]);
    expect(until?.getTime()).toBeLessThanOrEqual(sealed?.getTime() ?? 0);
    const report = await checkArchive(openFolderStore(copy), await open(copy));
    expect([report.damages, report.unsealed]).toEqual([[], [names.head]]);
    // Lists without a key cannot notice it.
    expect((await lastTime()).until).toEqual(LATER);
  });
});
