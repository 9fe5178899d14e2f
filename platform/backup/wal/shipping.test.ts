/** Ships the log of a real server into an archive, and recovers clusters from it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, copyFile, mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createReplicationClient,
  DamagedClusterError,
  type Database,
  type EmbeddedPostgres,
  formatLsn,
  openDatabase,
  RecoveryError,
  type RecoveryTarget,
  recoverCluster,
  segmentStart,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { encodeChecked } from '../archive/checked-json.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { generateIdentity } from '../archive/keys/recipient.ts';
import { lineageOf } from '../archive/layout.ts';
import { withMaxRate } from '../archive/max-rate.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { backupDatabase, type DatabaseBackup } from '../database/backup-database.ts';
import { restoreDatabase } from '../database/restore-database.ts';
import { ArchiveError } from '../errors.ts';
import { ArchivedLog, listPieces } from './archived-log.ts';
import { headName, readHead } from './head.ts';
import { readLastHead } from './head-writer.ts';
import { readLogMark } from './log-mark.ts';
import { openHead } from './opened-head.ts';
import { type LogRange, PIECE_BYTES, pieceName } from './pieces.ts';
import { LogShipper, type ShipperOptions, type ShipperReport } from './shipper.ts';

const PASSWORD = 'test';
/** The recovered clusters need them as well, because they contain a prepared transaction. */
const PARAMETERS = { max_prepared_transactions: '4' };
const SLOT = 'greenroom_backup';
const PROGRAM = join(import.meta.dirname, 'testing', 'ship.ts');

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let url: string;
let place: TestFolder;
let archive: Archive;
/** Whether the archive rejects all writes. */
let isAway = false;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom shipping-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    parameters: PARAMETERS,
    findTemplate: findEmptyCluster,
  });
  url = postgres.superuser.localUrl;
  database = openDatabase({ url, max: 4, applicationName: 'test' });
  place = await createTestFolder();
  archive = await openArchive(place);
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await place.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens an archive that rejects writes while it is away. */
async function openArchive({ store }: TestFolder): Promise<Archive> {
  const put: typeof store.put = async (name, bytes) => {
    if (isAway) throw new ArchiveError('unavailable', 'the archive is away');
    await store.put(name, bytes);
  };
  return createTestArchive({ ...store, put }, { passphrase: 'test' });
}

async function run(text: string): Promise<string> {
  const [row] = await database.query({ text });
  return String(Object.values(row ?? {})[0]);
}

interface TestShipper {
  shipper: LogShipper;
  reports: ShipperReport[];
}

function startShipper(options: Partial<ShipperOptions> = {}): TestShipper {
  const reports: ShipperReport[] = [];
  const shipper = new LogShipper({
    archive,
    url,
    slot: SLOT,
    lagMs: 20,
    retryMs: 10,
    idleHeadMs: 50,
    readMark: () => readLogMark(database),
    onReport: (report) => reports.push(report),
    ...options,
  });
  return { shipper, reports };
}

/** Resolves when everything that is committed now is in the archive; returns the time of it. */
async function waitUntilShipped({ shipper }: TestShipper): Promise<Date> {
  const { time } = await readLogMark(database);
  await expect.poll(() => (shipper.status.coveredTime ?? new Date(0)) >= time).toBe(true);
  return time;
}

/** Commits a row and returns a time of the server after it and before the next one. */
async function commit(note: string): Promise<Date> {
  await database.query({ text: 'insert into notes values ($1)', values: [note] });
  const milliseconds = await run('select ceil(extract(epoch from clock_timestamp()) * 1000)::float8');
  await run('select pg_sleep(0.005)');
  return new Date(Number(milliseconds));
}

async function backup(wal: 'contained' | 'archived'): Promise<DatabaseBackup> {
  const writer = createChunkWriter(archive, await listChunks(archive.store));
  const written = await backupDatabase({ url, label: 'a "label"', wal, writer });
  await writer.finish();
  return written;
}

let restored = 0;

/** Restores the files of a backup to a new cluster. */
async function restore({ index }: DatabaseBackup): Promise<string> {
  const parent = join(folder, `restored ${++restored}`);
  await mkdir(parent, { mode: 0o711 });
  return restoreDatabase({ reader: createChunkReader(archive), index, directory: join(parent, 'postgres') });
}

async function recover(directory: string, from: DatabaseBackup, target: RecoveryTarget): Promise<void> {
  const log = await ArchivedLog.open(archive, from);
  const readSegment = log.segmentsUntil(log.coveredUntil(from.start));
  const { timeline } = await recoverCluster({ directory, target, readSegment });
  expect(timeline).toBe(from.timeline + 1);
}

/** Starts a recovered cluster like any other and returns what `read` finds in it; then removes it. */
async function readCluster<Result>(
  directory: string,
  read: (connection: Database) => Promise<Result>,
): Promise<Result> {
  const server = await startEmbeddedPostgres({
    directory,
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    parameters: PARAMETERS,
  });
  const connection = openDatabase({ url: server.superuser.localUrl, max: 1, applicationName: 'test' });
  try {
    return await read(connection);
  } finally {
    await connection.close();
    await server.stop();
    await rm(join(directory, '..'), { recursive: true, force: true });
  }
}

async function notesOf(connection: Database): Promise<string[]> {
  const rows = await connection.query<{ note: string }>({ text: 'select note from notes order by note' });
  return rows.map(({ note }) => note);
}

async function countOf(connection: Database, table: string): Promise<number | undefined> {
  const [row] = await connection.query<{ count: number }>({ text: `select count(*)::int from ${table}` });
  return row?.count;
}

/** Requires pieces without gaps and without overlaps. */
async function requireContiguous(lineage: DatabaseBackup): Promise<void> {
  const pieces = await listPieces(archive.store, lineage);
  const starts = pieces.slice(1).map(({ start }) => start);
  expect(starts).toEqual(pieces.slice(0, -1).map(({ end }: LogRange) => end));
}

it('a backup of a limited rate hurries when much log is written meanwhile', async () => {
  // Hours without a lift.
  const slow = withMaxRate(archive, 0.001);
  const writer = createChunkWriter(slow, await listChunks(slow.store));
  const written = backupDatabase({
    ...{ url, label: 'slow', wal: 'contained', writer },
    maxLogBytes: 1_000_000,
  });
  await expect
    .poll(() =>
      run(`select count(*) from pg_stat_progress_basebackup where phase = 'streaming database files'`),
    )
    .toBe('1');
  await run(`select pg_logical_emit_message(true, 'test', repeat('x', 2000000))`);
  expect((await written).bytes).toBeGreaterThan(20_000_000);
  await writer.finish();
});

describe('a shipped log', () => {
  let first: DatabaseBackup;
  const times: Date[] = [];
  let shipping: TestShipper;

  it('begins with a report that a full backup is needed', async () => {
    shipping = startShipper();
    await expect.poll(() => shipping.reports.map(({ type }) => type)).toEqual(['gap', 'streaming']);
    expect(shipping.reports[0]).toMatchObject({ start: undefined });
  });

  it('is complete while a base backup is made under concurrent writes', async () => {
    await run('create table notes (note text)');
    await run('create unlogged table unlogged as select 1 as i');
    await run('create table nothing (i integer)');
    await run('create table "name with spaces" as select i from generate_series(1, 3000) i');
    await run(`select lo_from_bytea(4711, 'large object')`);
    await run('create table growing as select 0 as i');
    await run('create table shrinking as select i from generate_series(1, 100000) i');
    let isWriting = true;
    const writes = (async () => {
      for (let round = 0; isWriting; round++) {
        await run('insert into growing select i from generate_series(1, 500) i');
        if (round === 1) await run('truncate shrinking');
        await run(`create table round_${round} as select 1 as i`);
        if (round > 2) await run(`drop table round_${round - 2}`);
      }
    })();
    first = await backup('archived');
    isWriting = false;
    await writes;
    expect(first.stop).toBeGreaterThan(first.start);
    for (const note of ['a', 'b', 'c']) times.push(await commit(note));
    await waitUntilShipped(shipping);
    await requireContiguous(first);
  });

  it('has a head that names the covered time and the position of the content', async () => {
    await shipping.shipper.close();
    shipping = startShipper({ contentTime: () => new Date(77) });
    const time = await waitUntilShipped(shipping);
    await expect
      .poll(() => readHead(archive.store, first))
      .toMatchObject({ position: shipping.shipper.status.position, contentTime: new Date(77) });
    const head = await readHead(archive.store, first);
    expect(head?.coveredTime.getTime()).toBeGreaterThanOrEqual(time.getTime());
    await shipping.shipper.close();
  });

  it('continues without a gap or an overlap after the process was killed', async () => {
    for (let round = 0; round < 3; round++) {
      const child = spawn(process.execPath, [PROGRAM, place.folder, url, SLOT], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      const before = (await listPieces(archive.store, first)).at(-1)?.end;
      await run('insert into growing select i from generate_series(1, 2000) i');
      await expect.poll(async () => (await listPieces(archive.store, first)).at(-1)?.end).not.toBe(before);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    shipping = startShipper();
    await waitUntilShipped(shipping);
    expect(shipping.reports.filter(({ type }) => type === 'gap')).toEqual([]);
    await requireContiguous(first);
  });

  it('continues after the server was killed', async () => {
    await run('insert into growing select i from generate_series(1, 2000) i');
    const killed = postgres.pid() ?? 0;
    process.kill(killed, 'SIGKILL');
    // The server’s processes still respond for a moment.
    await expect.poll(() => ![killed, undefined].includes(postgres.pid())).toBe(true);
    await expect.poll(() => run('select 1').catch(() => undefined)).toBe('1');
    await expect.poll(() => shipping.reports.filter(({ type }) => type === 'streaming').length).toBe(2);
    await run('insert into growing select i from generate_series(1, 2000) i');
    await waitUntilShipped(shipping);
    expect(shipping.reports.map(({ type }) => type)).toContain('lost');
    expect(shipping.reports.filter(({ type }) => type === 'gap')).toEqual([]);
    await requireContiguous(first);
  });

  it('has a damaged last piece stored again when shipping continues', async () => {
    await commit('before the damage').then(() => waitUntilShipped(shipping));
    await shipping.shipper.close();
    const last = (await listPieces(archive.store, first)).at(-1);
    if (last === undefined) throw new Error('no piece');
    await place.store.put(pieceName(first, last), Buffer.from('damaged'));
    shipping = startShipper();
    await waitUntilShipped(shipping);
    expect(shipping.reports.filter(({ type }) => type === 'gap')).toEqual([]);
    await requireContiguous(first);
    const log = await ArchivedLog.open(archive, first);
    await log.segmentsUntil(last.end)(first.timeline, segmentStart(last.start));
    await run(`delete from notes where note = 'before the damage'`);
  });

  it('continues in an archive that its process cannot read', async () => {
    const { recipient } = generateIdentity();
    const other = await createTestFolder();
    const slot = 'recipient';
    for (const expected of [['gap', 'streaming'], ['streaming']]) {
      const unreadable = await createTestArchive(other.store, { recipient });
      const written = startShipper({ archive: unreadable, slot });
      await waitUntilShipped(written);
      expect(written.reports.map(({ type }) => type)).toEqual(expected);
      await written.shipper.close();
    }
    const pieces = await listPieces(other.store, first);
    expect(pieces.slice(1).map(({ start }) => start)).toEqual(pieces.slice(0, -1).map(({ end }) => end));
    await run(`select pg_drop_replication_slot('${slot}')`);
    await other.close();
  });

  it('contains transactions that are prepared', async () => {
    const client = createReplicationClient(url, 'test', {});
    await client.connect();
    await client.query(`begin; insert into notes values ('d'); prepare transaction 'later'`);
    await client.end();
    await waitUntilShipped(shipping);
  });

  it('recovers a backup to its end, without later commits', async () => {
    const directory = await restore(first);
    await recover(directory, first, { kind: 'backup' });
    const found = await readCluster(directory, async (connection) => {
      const [row] = await connection.query({ text: `select convert_from(lo_get(4711), 'UTF8') as text` });
      return {
        notes: await notesOf(connection),
        unlogged: await countOf(connection, 'unlogged'),
        nothing: await countOf(connection, 'nothing'),
        named: await countOf(connection, '"name with spaces"'),
        shrinking: await countOf(connection, 'shrinking'),
        largeObject: row?.text,
        slots: await countOf(connection, 'pg_replication_slots'),
      };
    });
    expect(found).toEqual({
      notes: [],
      unlogged: 0,
      nothing: 0,
      named: 3000,
      shrinking: 0,
      largeObject: 'large object',
      slots: 0,
    });
  });

  it.each([
    ['first', 0, ['a']],
    ['second', 1, ['a', 'b']],
    ['third', 2, ['a', 'b', 'c']],
  ])('recovers to a time after the %s commit, without later ones', async (_, index, notes) => {
    const directory = await restore(first);
    await recover(directory, first, { kind: 'time', time: times[index] ?? new Date(0), isCovered: false });
    expect(await readCluster(directory, notesOf)).toEqual(notes);
  });

  it('recovers to a time without later commits only if the log covers that time', async () => {
    const time = await waitUntilShipped(shipping);
    const directory = await restore(first);
    const rejected = await recover(directory, first, { kind: 'time', time, isCovered: false }).catch(
      (error: unknown) => error,
    );
    expect(rejected).toBeInstanceOf(RecoveryError);
    expect(rejected).toMatchObject({ kind: 'targetNotReached' });
    await recover(directory, first, { kind: 'time', time, isCovered: true });
    const found = await readCluster(directory, async (connection) => {
      const growing = await countOf(connection, 'growing');
      const [prepared] = await connection.query({ text: 'select gid from pg_prepared_xacts' });
      const before = await notesOf(connection);
      await connection.query({ text: `commit prepared 'later'` });
      return { growing, prepared: prepared?.gid, before, after: await notesOf(connection) };
    });
    expect(found).toEqual({
      growing: Number(await run('select count(*) from growing')),
      prepared: 'later',
      before: ['a', 'b', 'c'],
      after: ['a', 'b', 'c', 'd'],
    });
  });

  it('is covered until its last commit if its head has no seal', async () => {
    const now = async () => Number(await run('select extract(epoch from clock_timestamp()) * 1000'));
    const before = Math.floor(await now());
    await run(`comment on table notes is 'a commit'`);
    const after = Math.ceil(await now());
    await waitUntilShipped(shipping);
    await expect
      .poll(async () => (await readHead(archive.store, first))?.coveredTime.getTime())
      .toBeGreaterThan(after);
    const {
      checksum: _,
      seal: __,
      ...fields
    } = JSON.parse(String(await archive.store.get(headName(lineageOf(first)))));
    const forged = encodeChecked({ ...fields, coveredTime: '2100-01-01T00:00:00.000Z' });
    const store = {
      ...archive.store,
      get: async (name: string) => (name.endsWith('/head.json') ? forged : archive.store.get(name)),
    };
    const opened = await openHead({ ...archive, store }, first);
    expect(opened?.isSealed).toBe(false);
    const covered = opened?.head.coveredTime.getTime();
    expect(covered).toBeGreaterThanOrEqual(before);
    expect(covered).toBeLessThanOrEqual(after);
    expect(await openHead(archive, first)).toMatchObject({ isSealed: true });
  });

  it('rejects a recovery that needs a missing piece with the range that is missing', async () => {
    await shipping.shipper.close();
    const pieces = await listPieces(archive.store, first);
    const lost = pieces.find(({ start, end }) => start <= first.stop && end > first.stop);
    if (lost === undefined) throw new Error('no piece contains the end of the backup');
    const name = pieceName(first, lost);
    const bytes = await archive.store.get(name);
    await archive.store.remove([name]);
    const range = `the log from ${formatLsn(lost.start)} to ${formatLsn(lost.end)} is missing`;
    const log = await ArchivedLog.open(archive, first);
    expect(log.coveredUntil(lost.start)).toBe(lost.start);
    const end = pieces.at(-1)?.end ?? 0n;
    expect(() => log.requireRange({ start: lost.start, end })).toThrow(range);
    const directory = await restore(first);
    const readSegment = log.segmentsUntil(end);
    await expect(recoverCluster({ directory, target: { kind: 'end' }, readSegment })).rejects.toThrow(range);
    await archive.store.put(name, bytes);
    shipping = startShipper();
    await waitUntilShipped(shipping);
  });

  it('keeps a limited part in memory while the archive is away, and reports and records the gap if the slot is lost', async () => {
    isAway = true;
    const before = shipping.shipper.status.position;
    await run(`alter system set max_slot_wal_keep_size = '16MB'`);
    await run('select pg_reload_conf()');
    const status = () => run(`select wal_status from pg_replication_slots where slot_name = '${SLOT}'`);
    for (let round = 0; round < 30 && (await status()) !== 'lost'; round++) {
      await run(`select pg_logical_emit_message(false, 'test', repeat('x', 6000000))`);
      await run('select pg_switch_wal()');
      await run('checkpoint');
      expect(shipping.shipper.status.bufferedBytes).toBeLessThan(3 * PIECE_BYTES);
    }
    // The next slot is not lost, too.
    await run('alter system reset max_slot_wal_keep_size');
    await run('select pg_reload_conf()');
    await expect.poll(() => shipping.reports.map(({ type }) => type)).toContain('away');
    expect(shipping.shipper.status).toMatchObject({ archive: 'away', position: before });
    const headBefore = await readHead(archive.store, first);
    isAway = false;
    const gap = () => shipping.reports.find(({ type }) => type === 'gap');
    await expect.poll(gap).toMatchObject({ type: 'gap', lineage: { systemId: first.systemId } });
    await waitUntilShipped(shipping);
    expect(shipping.shipper.status.archive).toBe('reachable');
    const second = await backup('archived');
    await waitUntilShipped(shipping);
    const log = await ArchivedLog.open(archive, first);
    expect(log.coveredUntil(second.start)).toBeGreaterThanOrEqual(second.stop);
    expect(() => log.requireRange({ start: first.start, end: second.stop })).toThrow('is missing');
    // Log that was in memory is stored before the gap.
    const { beforeGaps: [point] = [] } = (await readHead(archive.store, first)) ?? {};
    expect(point?.position).toBeGreaterThanOrEqual(headBefore?.position ?? 0n);
    expect(point?.position).toBeLessThanOrEqual(log.coveredUntil(first.start));
    expect(point?.coveredTime.getTime()).toBeGreaterThanOrEqual(headBefore?.coveredTime.getTime() ?? 0);
    expect(point?.coveredTime.getTime()).toBeLessThan(second.stopTime.getTime());
    const reopened = await readLastHead(archive, first);
    expect(reopened?.beforeGaps).toEqual([point]);
    await shipping.shipper.close();
  });

  it.each([
    [
      'is ahead of the database',
      (range: LogRange) => ({ start: range.end + 1_000_000_000n, end: range.end + 1_000_000_001n }),
    ],
    ['differs from that of the database', (range: LogRange) => range],
  ])('stops if the archived log %s', async (_, rangeOf) => {
    const other = await createTestFolder();
    try {
      const otherArchive = await openArchive(other);
      const range = rangeOf((await listPieces(archive.store, first)).at(-1) ?? { start: 0n, end: 0n });
      const bytes = Buffer.alloc(Number(range.end - range.start), 'x');
      await otherArchive.putBlob(pieceName(first, range), bytes);
      const { shipper, reports } = startShipper({ archive: otherArchive });
      await expect.poll(() => reports.at(-1)).toMatchObject({ type: 'stopped' });
      expect(shipper.status.connection).toBe('stopped');
      await shipper.close();
      expect(await listPieces(other.store, first)).toEqual([range]);
    } finally {
      await other.close();
    }
  });
});

it('a recovered cluster continues on a timeline that no other copy of it uses', async () => {
  const contained = await backup('contained');
  const directory = await restore(contained);
  const { timeline } = await recoverCluster({
    directory,
    target: { kind: 'end' },
    readSegment: async () => undefined,
    takenTimelines: [2, 3, 4],
  });
  expect(timeline).toBe(5);
  const identity = await readCluster(directory, async (connection) =>
    connection.query({ text: 'select timeline_id from pg_control_checkpoint()' }),
  );
  expect(identity).toEqual([{ timeline_id: 5 }]);
});

it('settings of a restored cluster run no command while it is recovered and checked, and remain', async () => {
  const contained = await backup('contained');
  const directory = await restore(contained);
  const settings = join(directory, 'postgresql.auto.conf');
  const commands = ['archive_command', 'archive_cleanup_command', 'recovery_end_command', 'restore_command'];
  await appendFile(
    settings,
    `
work_mem = '7MB'
archive_mode = 'on'
${[...commands, 'ssl_passphrase_command'].map((name) => `${name} = 'touch ran.${name}'`).join('\n')}
ssl = 'on'
ssl_key_file = 'nothing'
shared_preload_libraries = 'nothing'
session_preload_libraries = 'nothing'
local_preload_libraries = 'nothing'
primary_conninfo = 'host=127.0.0.1 port=1'
recovery_target_name = 'nothing'
`,
  );
  await copyFile(join(directory, 'PG_VERSION'), join(directory, 'standby.signal'));
  const written = await readFile(settings, 'utf8');
  await recoverCluster({ directory, target: { kind: 'end' }, readSegment: async () => undefined });
  const server = await startEmbeddedPostgres({
    ...{ directory, port: 0, portIsFixed: false, password: PASSWORD, parameters: PARAMETERS },
    isRestored: true,
  });
  const connection = openDatabase({ url: server.superuser.localUrl, max: 1, applicationName: 'test' });
  try {
    await connection.query({ text: 'select pg_switch_wal()' });
    const names = [...commands, 'archive_mode', 'session_preload_libraries', 'ssl', 'work_mem'];
    const [row] = await connection.query({
      text: `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
    });
    expect(row).toEqual({
      ...Object.fromEntries(commands.map((name) => [name, name === 'archive_command' ? '(disabled)' : ''])),
      ...{ archive_mode: 'off', session_preload_libraries: '', ssl: 'off', work_mem: '7MB' },
    });
  } finally {
    await connection.close();
    await server.stop();
  }
  expect(await readFile(settings, 'utf8')).toBe(written);
  expect((await readdir(directory)).filter((name) => name.startsWith('ran.'))).toEqual([]);
  await rm(join(directory, '..'), { recursive: true, force: true });
});

it('a backup that contains its log is recovered without an archived log', async () => {
  const contained = await backup('contained');
  const directory = await restore(contained);
  const progress: bigint[] = [];
  await recoverCluster({
    directory,
    target: { kind: 'backup' },
    readSegment: async () => undefined,
    onProgress: (position) => progress.push(position),
  });
  expect(progress.at(-1)).toBeGreaterThanOrEqual(contained.start);
  expect(await readCluster(directory, notesOf)).toEqual(await notesOf(database));
});

it('a backup of a damaged database is rejected with the name of the file', async () => {
  await run('create table damaged as select i from generate_series(1, 1000) i');
  await run('checkpoint');
  const path = await run(`select pg_relation_filepath('damaged')`);
  const file = await open(join(postgres.directory, path), 'r+');
  await file.write(Buffer.from('damage'), 0, 6, 5000);
  await file.close();
  const error = await backup('contained').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DamagedClusterError);
  expect(error).toMatchObject({ files: [path] });
});
