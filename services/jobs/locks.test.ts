/**
 * `drop extension` locks tables and sequences one after the other. The service causes no deadlock if it waits for one of these locks
 * only while it holds no other.
 */
import { createTestDatabase, openClient, type TestDatabase } from '@greenroom/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addRun,
  deleteOldRuns,
  deleteRunsOfOthers,
  endRun,
  failUnfinishedRuns,
  readJobs,
  startRun,
} from './cron/job-tables.ts';
import { deleteExpired, readQueue, removeRequest, storeResponses } from './net/queue.ts';
import { cleanUpWebhooks, startDueWebhooks } from './net/webhook-deliveries.ts';
import { createQuery, type Query } from './query.ts';

const OBJECTS = [
  'net.http_request_queue',
  'net.http_request_queue_id_seq',
  'net._http_response',
  'cron.job',
  'cron.job_run_details',
  'cron.runid_seq',
];
const JOB = {
  id: '1',
  schedule: '* * * * *',
  command: 'select 1',
  database: 'postgres',
  owner: 'postgres',
  isActive: true,
};
const SETTLED = {
  key: '1/1',
  response: {
    id: '1',
    status_code: 200,
    content_type: null,
    headers: null,
    content: null,
    timed_out: false,
    error_msg: null,
  },
  step: undefined,
};
const NO_HOSTS = { full: [], rooms: {}, otherRoom: 5 };

const WORK: Readonly<Record<string, (query: Query) => Promise<unknown>>> = {
  'the queue is read': (query) => readQueue(query, { inProgress: [], limit: 5, hosts: NO_HOSTS }),
  'responses are stored': (query) => storeResponses(query, [SETTLED]),
  'a request is removed': (query) => removeRequest(query, SETTLED),
  'responses are deleted': (query) => deleteExpired(query, 1000),
  'webhooks are started': (query) => startDueWebhooks(query, []),
  'webhooks are cleaned up': (query) => cleanUpWebhooks(query, 1000),
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
let query: Query;
let pid: number;

beforeAll(async () => {
  database = await createTestDatabase();
  other = await openClient(database.url);
  service = await openClient(database.netUrl);
  query = createQuery(service);
  const [backend] = await query<{ pid: number }>('select pg_backend_pid() as pid');
  pid = backend?.pid ?? 0;
  await database.run('create extension pg_cron');
});
afterAll(async () => {
  await service.end();
  await other.end();
  await database.drop();
});

/** Leaves one webhook, which is due. */
const addWebhook = () =>
  database.run(`
    delete from greenroom.webhooks;
    insert into greenroom.webhooks (
      state, request_ids, hook_name, table_name, url, method, headers, timeout_milliseconds, next_attempt_at
    ) values ('waiting', '{}', 'hook', 'public.notes', 'http://example.org/', 'POST', '{}', 1000, now())`);

const lockOf = (object: string) =>
  object.endsWith('_seq') ? `alter sequence ${object} cache 1` : `lock table ${object}`;

async function isWaiting(): Promise<boolean> {
  const text = `select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;
  return (await database.admin.query({ text, values: [pid] })).length > 0;
}

/** Returns the tables, indexes and sequences of the extensions that the service has locked. */
async function lockedByService(): Promise<string[]> {
  const text = `
    select relname from pg_locks join pg_class on pg_class.oid = relation
    where pid = $1 and granted and relnamespace in ('net'::regnamespace, 'cron'::regnamespace)`;
  const rows = await database.admin.query<{ relname: string }>({ text, values: [pid] });
  return rows.map(({ relname }) => relname);
}

it.each(Object.keys(WORK))('the service holds no lock while it waits for one when %s', async (name) => {
  for (const object of OBJECTS) {
    await addWebhook();
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
