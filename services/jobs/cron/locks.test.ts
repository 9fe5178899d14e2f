/**
 * `drop extension pg_cron` locks tables and sequences one after the other. It is part of no deadlock if the service waits for one of them
 * only while it holds no other.
 */
import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Query } from '../query.ts';
import {
  addRun,
  deleteOldRuns,
  deleteRunsOfOthers,
  endRun,
  failUnfinishedRuns,
  readJobs,
  startRun,
} from './job-tables.ts';

const OBJECTS = ['cron.job', 'cron.job_run_details', 'cron.runid_seq'];
const JOB = {
  id: '1',
  schedule: '* * * * *',
  command: 'select 1',
  database: 'postgres',
  owner: 'postgres',
  isActive: true,
};

const WORK: Readonly<Record<string, (query: Query) => Promise<unknown>>> = {
  'jobs are read': readJobs,
  'a run is added': (query) => addRun(query, JOB),
  'a run is started': (query) => startRun(query, '1', 1),
  'a run is ended': (query) => endRun(query, '1', { status: 'succeeded', message: '' }),
  'runs are marked as failed': failUnfinishedRuns,
  'old runs are deleted': (query) => deleteOldRuns(query, '1', 1),
  'runs of removed jobs are deleted': (query) => deleteRunsOfOthers(query, [JOB], 1),
};

let database: TestDatabase;
/** Logged in as the role of the service. */
let service: pg.Client;
/** Holds the locks that `drop extension` would hold. */
let other: pg.Client;
let pid: number;

beforeAll(async () => {
  database = await createTestDatabase();
  other = await openClient(database.url);
  service = await openClient(database.netUrl);
  const [backend] = await query<{ pid: number }>('select pg_backend_pid() as pid');
  pid = backend?.pid ?? 0;
  await database.run('create extension pg_cron');
});
afterAll(async () => {
  await service.end();
  await other.end();
  await database.drop();
});
const query: Query = (text, values = []) => service.query(text, [...values]).then(({ rows }) => rows);
const lockOf = (object: string) =>
  object.endsWith('_seq') ? `alter sequence ${object} cache 1` : `lock table ${object}`;

async function isWaiting(): Promise<boolean> {
  const text = `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
  return (await database.admin.query({ text, values: [pid] })).length > 0;
}

/** Returns the tables, indexes and sequences of the extension that the service has locked. */
async function lockedByService(): Promise<string[]> {
  const text = `
    select relname from pg_locks join pg_class on pg_class.oid = relation
    where pid = $1 and granted and relnamespace = 'cron'::regnamespace`;
  const rows = await database.admin.query<{ relname: string }>({ text, values: [pid] });
  return rows.map(({ relname }) => relname);
}

it.each(Object.keys(WORK))('the service holds no lock while it waits for one when %s', async (name) => {
  for (const object of OBJECTS) {
    await other.query(`begin; ${lockOf(object)}`);
    let isDone = false;
    const done = WORK[name]?.(query).finally(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await isWaiting())).toBe(true);
    if (!isDone) expect([object, await lockedByService()]).toEqual([object, []]);
    await other.query('rollback');
    await done;
  }
});
