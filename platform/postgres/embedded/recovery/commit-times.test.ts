/** Times of commits in the log of a real server. */
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../database.ts';
import { SEGMENT_BYTES } from '../../replication/lsn.ts';
import { openSession } from '../../session.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../cluster.ts';
import { CommitTimes, lastCommitIn } from './commit-times.ts';

let folder: string;
let postgres: EmbeddedPostgres;
let database: Database;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-commits-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    parameters: { max_prepared_transactions: '2' },
    findTemplate: findEmptyCluster,
  });
  database = openDatabase({ url: postgres.superuser.localUrl, max: 1, applicationName: 'test' });
  await database.query({ text: 'create table notes (text text)' });
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

async function value(text: string): Promise<string> {
  const [row] = await database.query({ text });
  return String(Object.values(row ?? {})[0]);
}

const now = async () => Number(await value('select extract(epoch from clock_timestamp()) * 1000'));

/** Ends the current segment and returns it. */
async function endSegment(): Promise<Buffer> {
  const name = await value('select pg_walfile_name(pg_switch_wal())');
  return readFile(join(postgres.directory, 'pg_wal', name));
}

it.each([
  ['small', 'insert into notes select generate_series(1, 20)'],
  ['many', 'insert into notes select generate_series(1, 20000)'],
  ['large', `insert into notes select string_agg(md5(i::text), '') from generate_series(1, 200000) i`],
  ['no other', 'select 1'],
])('the last commit of a segment is found after %s records', async (_, statement) => {
  await database.query({ text: statement });
  const before = Math.floor(await now());
  await database.query({ text: `insert into notes values ('last')` });
  const after = Math.ceil(await now());
  await database.query({ text: `select pg_logical_emit_message(false, 'test', 'later')` });
  const found = lastCommitIn(await endSegment())?.getTime();
  expect(found).toBeGreaterThanOrEqual(before);
  expect(found).toBeLessThanOrEqual(after);
});

it('a commit whose record ends after the given end is not found', async () => {
  const notes = async (text: string) => database.query({ text: `insert into notes values ('${text}')` });
  await notes('first');
  const [row] = await database.query({
    text: `select (pg_current_wal_flush_lsn() - '0/0') % ${SEGMENT_BYTES} as end, clock_timestamp() as time`,
  });
  await notes('second');
  const segment = await endSegment();
  const end = Number(row?.end);
  const first = lastCommitIn(segment, end);
  expect(first?.getTime()).toBeLessThanOrEqual(Number(row?.time));
  expect(lastCommitIn(segment)?.getTime()).toBeGreaterThan(first?.getTime() ?? 0);
  expect(lastCommitIn(segment, end - 8)).not.toEqual(first);
});

it('the commit of a prepared transaction is found', async () => {
  const session = await openSession({ url: postgres.superuser.localUrl, applicationName: 'test' });
  await session.batch([
    { text: 'begin' },
    { text: `insert into notes values ('prepared')` },
    { text: `prepare transaction 'one'` },
  ]);
  await session.close();
  await endSegment();
  const before = Math.floor(await now());
  await database.query({ text: `commit prepared 'one'` });
  expect(lastCommitIn(await endSegment())?.getTime()).toBeGreaterThanOrEqual(before);
});

it('a segment without commits, or of zeros, has none', async () => {
  await database.query({ text: `select pg_logical_emit_message(false, 'test', 'message')` });
  expect(lastCommitIn(await endSegment())).toBeUndefined();
  expect(lastCommitIn(Buffer.alloc(SEGMENT_BYTES))).toBeUndefined();
});

it('the time at a position is that of the segments before it', async () => {
  await database.query({ text: `insert into notes values ('first')` });
  const segment = await endSegment();
  const times = new CommitTimes();
  const start = BigInt(5 * SEGMENT_BYTES);
  times.add(start, segment);
  expect(times.before(undefined)).toBeUndefined();
  expect(times.before(start + 100n)).toBeUndefined();
  expect(times.before(start + BigInt(SEGMENT_BYTES))).toEqual(lastCommitIn(segment));
});
