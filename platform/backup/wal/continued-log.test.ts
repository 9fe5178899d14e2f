/** Continuing a log whose last piece in the archive cannot be read. */
import { chmod, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Database,
  type EmbeddedPostgres,
  openDatabase,
  SEGMENT_BYTES,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { generateIdentity } from '../archive/keys/recipient.ts';
import type { ArchiveSecrets } from '../archive/open-archive.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { listAll } from '../store/list-all.ts';
import { ArchivedLog, listPieces } from './archived-log.ts';
import { readLogMark } from './log-mark.ts';
import { type LogLineage, type LogRange, logFolder, pieceName } from './pieces.ts';
import { LogShipper, type ShipperReport } from './shipper.ts';

const SLOT = 'test';

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;
let place: TestFolder;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-continued-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
  database = openDatabase({ url: postgres.superuser.localUrl, max: 2, applicationName: 'test' });
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  place = await createTestFolder();
});
afterEach(async () => {
  await dropSlot();
  await place.close();
});

const dropSlot = () => database.query({ text: `select pg_drop_replication_slot('${SLOT}')` });

interface Shipped {
  lineage: LogLineage;
  end: bigint;
  reports: ShipperReport[];
}

/** Ships the log until a new commit is stored, and stops. */
async function ship(secrets: ArchiveSecrets): Promise<Shipped & { archive: Archive }> {
  const archive = await createTestArchive(place.store, secrets);
  const reports: ShipperReport[] = [];
  const shipper = new LogShipper({
    archive,
    url: postgres.superuser.localUrl,
    slot: SLOT,
    lagMs: 10,
    retryMs: 10,
    readMark: () => readLogMark(database),
    onReport: (report) => reports.push(report),
  });
  await database.query({ text: `select pg_logical_emit_message(true, 'test', repeat('x', 1000), true)` });
  const { position } = await readLogMark(database);
  await vi.waitFor(() => expect(shipper.status.position).toBeGreaterThanOrEqual(position), 10_000);
  const { lineage, position: end } = shipper.status;
  await shipper.close();
  if (lineage === undefined || end === undefined) throw new Error('nothing was shipped');
  return { archive, lineage, end, reports };
}

async function lastPiece({ lineage }: Shipped): Promise<LogRange> {
  const last = (await listPieces(place.store, lineage)).at(-1);
  if (last === undefined) throw new Error('no piece');
  return last;
}

const typesOf = ({ reports }: Shipped) => reports.map(({ type }) => type);

it('a damaged last piece is stored again, without a gap', async () => {
  const first = await ship({ passphrase: 'test' });
  const damaged = await lastPiece(first);
  await truncate(join(place.folder, pieceName(first.lineage, damaged)), 50);
  const second = await ship({ passphrase: 'test' });
  expect(typesOf(second)).toEqual(['streaming']);
  const log = await ArchivedLog.open(second.archive, second.lineage);
  expect(log.coveredUntil(damaged.start)).toBe(second.end);
  const segment = await log.segmentsUntil(second.end)(
    second.lineage.timeline,
    damaged.start - (damaged.start % BigInt(SEGMENT_BYTES)),
  );
  expect(segment).toBeDefined();
  expect((await listAll(place.store, logFolder(first.lineage))).map(({ name }) => name)).not.toContain(
    pieceName(first.lineage, damaged),
  );
});

it('a damaged last piece that the server does not have any more is reported as a gap', async () => {
  const first = await ship({ passphrase: 'test' });
  const damaged = await lastPiece(first);
  await truncate(join(place.folder, pieceName(first.lineage, damaged)), 50);
  await dropSlot();
  await database.query({ text: 'select pg_switch_wal()' });
  await database.query({ text: 'checkpoint' });
  const second = await ship({ passphrase: 'test' });
  expect(second.reports).toMatchObject([{ type: 'gap', start: damaged.start }, { type: 'streaming' }]);
});

it('a process with only the recipient continues the log of an earlier one without a gap', async () => {
  const { recipient, identity } = generateIdentity();
  const first = await ship({ recipient });
  const second = await ship({ recipient });
  expect(typesOf(second)).toEqual(['streaming']);
  expect(second.end).toBeGreaterThan(first.end);
  const reader = await createTestArchive(place.store, { identity });
  const log = await ArchivedLog.open(reader, second.lineage);
  const [piece] = await listPieces(place.store, second.lineage);
  const start = piece?.start ?? 0n;
  expect(log.coveredUntil(start)).toBe(second.end);
  await expect(log.segmentsUntil(second.end)(second.lineage.timeline, start)).resolves.toBeDefined();
});
