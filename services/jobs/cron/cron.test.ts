import { parseSchedule } from '@greenroom/schedule';
import { createTestDatabase, lastRows, openClient, type TestDatabase } from '@greenroom/testing';
import fc from 'fast-check';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCronMetrics } from '../metrics.ts';
import { createQuery } from '../query.ts';
import type { Work } from '../session.ts';
import { startHttpEndpoint } from '../testing/http-endpoint.ts';
import { openTestJobs } from '../testing/open-jobs.ts';
import { createFindLogin } from './login.ts';
import { createCronRunner } from './runner.ts';

const SETTINGS = { maxRunningJobs: 8, maxRunsPerJob: 100, timeZone: 'UTC' };
const RUNS = 'select * from cron.job_run_details order by runid';
/** A command that waits until the test releases the lock 7. */
const WAIT = 'select pg_advisory_xact_lock(7)';
const MINUTE_MS = 60_000;
/** Time at which the clocks of runners begin. */
const START_MS = Date.parse('2026-11-20T10:00:01Z');

let database: TestDatabase;
/** Logged in as postgres, who owns the jobs. */
let client: pg.Client;
/** Logged in as the role of the service. */
let service: pg.Client;
let registry: Registry;
/** Warnings in the log. */
let warnings: unknown[] = [];
const runners: Work[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  client = await openClient(database.ownerUrl);
  service = await openClient(database.netUrl);
  await client.query('create extension pg_cron');
});
afterAll(async () => {
  await client.end();
  await service.end();
  await database.drop();
});
beforeEach(() => {
  registry = new Registry();
  warnings = [];
});
afterEach(async () => {
  await client.query('select pg_advisory_unlock_all(); delete from cron.job');
  for (const runner of runners.splice(0)) await runner.finish();
  await client.query('delete from cron.job_run_details');
});

const query = (sql: string, on = client) => lastRows(on, sql);
const schedule = (text: string, command: string) =>
  client.query('select cron.schedule($1, $2)', [text, command]);

/** A runner whose clock only the test sets. */
interface TestRunner extends Work {
  /** Sets the clock forward, and wakes the runner. */
  advance(ms: number): void;
}

/** Starts a runner, which runs jobs with the schedule `@reboot` at once. */
function startRunner(settings: Partial<typeof SETTINGS> = {}): TestRunner {
  let offsetMs = 0;
  const runner = createCronRunner({
    query: createQuery(service),
    findLogin: createFindLogin(database.ownerUrl),
    settings: { ...SETTINGS, ...settings },
    isStart: true,
    metrics: createCronMetrics(registry),
    log: { warn: (...line: unknown[]) => void warnings.push(line) },
    now: () => START_MS + offsetMs,
  });
  runners.push(runner);
  runner.wake();
  return {
    ...runner,
    advance(ms) {
      offsetMs += ms;
      runner.wake();
    },
  };
}

/** Runs a command once, and returns its run. */
async function runOnce(command: string): Promise<Record<string, unknown>> {
  await schedule('@reboot', command);
  startRunner();
  return ended();
}

/** Returns the last run when it has ended. */
async function ended(): Promise<Record<string, unknown>> {
  await expect.poll(async () => (await query(RUNS)).at(-1)?.end_time).toBeInstanceOf(Date);
  return (await query(RUNS)).at(-1) ?? {};
}

describe('a run', () => {
  it('is recorded with its owner, database, process and times', async () => {
    const [job] = await query(`select cron.schedule('one', '@reboot', 'select 1') as id`);
    startRunner();
    expect(await ended()).toEqual({
      jobid: job?.id,
      runid: expect.any(String),
      job_pid: expect.any(Number),
      database: new URL(database.url).pathname.slice(1),
      username: 'postgres',
      command: 'select 1',
      status: 'succeeded',
      return_message: '1 row',
      start_time: expect.any(Date),
      end_time: expect.any(Date),
    });
    const text = await registry.metrics();
    expect(text).toContain('greenroom_cron_runs_total{status="succeeded"} 1');
    expect(text).toContain('greenroom_cron_run_seconds_count 1');
  });

  it.each([
    ['select generate_series(1, 3)', '3 rows'],
    ['select 1; select 1 where false', '0 rows'],
    ['vacuum', 'VACUUM'],
    ['create temp table t (n int); insert into t values (1), (2)', 'INSERT 0 2'],
    ['begin; select 1; commit', 'COMMIT'],
    ["do $$ begin raise warning 'w'; commit; end $$", 'DO'],
    ['', '0 rows'],
  ])('of %j succeeds: %s', async (command, message) => {
    expect(await runOnce(command)).toMatchObject({ status: 'succeeded', return_message: message });
  });

  it.each([
    ['select 1/0', 'ERROR:  division by zero\n'],
    [
      'select 1;\nselect * from missing',
      'ERROR:  relation "missing" does not exist\nLINE 2: select * from missing\n                      ^\n',
    ],
    [
      "do $$ begin raise 'no' using detail = 'd', hint = 'h'; end $$",
      /^ERROR: {2}no\nDETAIL: {2}d\nHINT: {2}h\nCONTEXT: {2}PL/,
    ],
    [
      'vacuum; vacuum',
      /^ERROR: {2}VACUUM cannot be executed from a|^ERROR: {2}VACUUM cannot run inside a transaction block/,
    ],
    ['copy (select 1) to stdout', 'COPY not supported'],
    ['create temp table t (n int); copy t from stdin', 'COPY not supported'],
    ['select pg_terminate_backend(pg_backend_pid())', /^FATAL: {2}terminating connection/],
  ])('of %j fails: %s', async (command, message) => {
    const { status, return_message } = await runOnce(command);
    expect(status).toBe('failed');
    if (typeof message === 'string') expect(return_message).toBe(message);
    else expect(return_message).toMatch(message);
  });

  it('is one transaction, which an error rolls back', async () => {
    await runOnce('create table public.rolled_back (); select 1/0');
    expect(await query(`select to_regclass('public.rolled_back') as found`)).toEqual([{ found: null }]);
  });

  it('ends with the connection error if the database does not exist', async () => {
    await schedule('@reboot', 'select 1');
    await database.run(`update cron.job set database = 'missing'`);
    startRunner();
    expect(await ended()).toMatchObject({
      status: 'failed',
      return_message: 'connection failed: database "missing" does not exist',
    });
  });
});

describe('a command has no other rights than its owner', () => {
  const RECORD = 'insert into public.seen select current_user, session_user';

  it.each([
    RECORD,
    `reset role; ${RECORD}`,
    `set role anon; reset role; ${RECORD}`,
    `reset session authorization; ${RECORD}`,
    `set session authorization default; ${RECORD}`,
    `reset all; ${RECORD}`,
  ])('after %s', async (command) => {
    await query('create table public.seen (current_role_name text, session_role_name text)');
    expect(await runOnce(command)).toMatchObject({ status: 'succeeded', username: 'postgres' });
    expect(await query('table public.seen')).toEqual([
      { current_role_name: 'postgres', session_role_name: 'postgres' },
    ]);
    await query('drop table public.seen');
  });

  it.each([
    'set role supabase_admin',
    'set session authorization supabase_admin',
    'set role greenroom_net',
    `select pg_read_file('greenroom.vault.key')`,
    `copy (select 1) to program 'id'`,
    'create role root superuser',
    `alter role supabase_admin password 'known'`,
    `update cron.job set username = 'supabase_admin'`,
    `do $$ begin execute 'reset session authorization'; execute 'set role supabase_admin'; end $$`,
  ])('so this is refused: %s', async (command) => {
    const { status, return_message } = await runOnce(command);
    expect(status).toBe('failed');
    expect(return_message).toMatch(/permission denied|must be superuser/);
  });

  it.each([
    ['supabase_admin', 'jobs of superusers such as "supabase_admin" are not run'],
    ['anon', 'role "anon" can not log in'],
    ['nobody', 'role "nobody" does not exist'],
    ['authenticator', 'Greenroom has no password of role "authenticator"; it runs jobs of "postgres"'],
  ])('and a job of %s is not run', async (owner, message) => {
    await schedule('@reboot', 'select 1');
    await database.run(`update cron.job set username = '${owner}'`);
    startRunner();
    await expect
      .poll(() =>
        database.admin.query({ text: `select status, return_message, job_pid from cron.job_run_details` }),
      )
      .toEqual([{ status: 'failed', return_message: message, job_pid: null }]);
    await database.run('delete from cron.job');
  });
});

describe('a function with security definer', () => {
  it('lets a job of postgres work as another login role', async () => {
    await database.run(`
      create role clerk login;
      create schema clerk authorization clerk;
      set role clerk;
      create table clerk.desk (cleaner name);
      create function clerk.tidy() returns void language sql security definer set search_path = ''
        as 'insert into clerk.desk values (current_user)';
      revoke execute on function clerk.tidy() from public;
      grant execute on function clerk.tidy() to postgres;
      grant usage on schema clerk to postgres;
      reset role`);
    const { return_message } = await runOnce(`do $$ begin
      insert into clerk.desk values (current_user);
    exception when insufficient_privilege then
      perform clerk.tidy();
    end $$`);
    expect(return_message).toBe('DO');
    expect(await database.admin.query({ text: 'select cleaner from clerk.desk' })).toEqual([
      { cleaner: 'clerk' },
    ]);
    await database.run('drop schema clerk cascade; drop role clerk');
  });
});

describe('a job', () => {
  it('runs in each minute that its schedule matches, and makes up none from before the start', async () => {
    await schedule('* * * * *', 'select 1');
    const runner = startRunner();
    runner.advance(2 * MINUTE_MS);
    await expect.poll(() => query(RUNS)).toHaveLength(2);
    runner.advance(MINUTE_MS);
    await expect.poll(() => query(RUNS)).toHaveLength(3);
  });

  it('runs after each interval', async () => {
    await schedule('30 seconds', 'select 1');
    await schedule('@reboot', 'select 2');
    const runner = startRunner();
    await ended();
    runner.advance(29_000);
    runner.advance(1000);
    await expect.poll(() => query(RUNS)).toHaveLength(2);
    await ended();
    runner.advance(30_000);
    await expect.poll(() => query(RUNS)).toHaveLength(3);
  });

  it('runs once at a time; runs that become due meanwhile follow', async () => {
    await query('select pg_advisory_lock(7)');
    await schedule('* * * * *', WAIT);
    const runner = startRunner();
    for (let minute = 0; minute < 3; minute += 1) runner.advance(MINUTE_MS);
    await expect.poll(() => query(RUNS)).toMatchObject([{ status: 'running' }]);
    await query('select pg_advisory_unlock(7)');
    await expect.poll(() => query(RUNS)).toHaveLength(3);
    await ended();
    const overlaps = `select from cron.job_run_details a join cron.job_run_details b
      on a.runid < b.runid and a.end_time > b.start_time`;
    expect(await query(overlaps)).toEqual([]);
  });

  it('waits if the maximum number of jobs runs', async () => {
    await query('select pg_advisory_lock(7)');
    for (let count = 0; count < 3; count += 1) await schedule('@reboot', WAIT);
    startRunner({ maxRunningJobs: 2 });
    await expect.poll(() => query(RUNS)).toMatchObject([{ status: 'running' }, { status: 'running' }]);
    expect(await registry.metrics()).toContain('greenroom_cron_runs_in_progress 2');
    await query('select pg_advisory_unlock(7)');
    await expect.poll(() => query(RUNS)).toMatchObject(Array(3).fill({ status: 'succeeded' }));
  });

  it.each([
    ['deactivated', 'select cron.alter_job(jobid, active := false) from cron.job'],
    ['unscheduled', 'select cron.unschedule(jobid) from cron.job'],
  ])('that is %s is cancelled', async (_name, statement) => {
    await query('select pg_advisory_lock(7)');
    await schedule('@reboot', WAIT);
    const runner = startRunner();
    await expect.poll(() => query(RUNS)).toMatchObject([{ status: 'running' }]);
    await query(statement);
    runner.wake();
    expect(await ended()).toMatchObject({ status: 'failed', return_message: 'job canceled' });
    const left = `select from pg_stat_activity where application_name = 'pg_cron' and datname = current_database()`;
    await expect.poll(() => query(left)).toEqual([]);
  });

  it('that was running in a crash is marked as failed at the next start', async () => {
    await query(`insert into cron.job_run_details (jobid, username, status) values
      (1, 'postgres', 'starting'), (1, 'postgres', 'running'), (1, 'postgres', 'succeeded')`);
    startRunner();
    await expect
      .poll(() => query('select status, return_message from cron.job_run_details order by runid'))
      .toEqual([
        { status: 'failed', return_message: 'server restarted' },
        { status: 'failed', return_message: 'server restarted' },
        { status: 'succeeded', return_message: null },
      ]);
  });

  it('keeps a limited number of runs', async () => {
    await schedule('@reboot', 'select 1');
    await query(`insert into cron.job_run_details (jobid, username, status)
      select jobid, 'postgres', 'succeeded' from cron.job, generate_series(1, 10)
      union all select -1, 'postgres', 'succeeded' from generate_series(1, 10)`);
    startRunner({ maxRunsPerJob: 3 });
    await expect
      .poll(() =>
        query('select jobid < 0 as removed, count(*)::int from cron.job_run_details group by 1 order by 1'),
      )
      .toEqual([
        { removed: false, count: 3 },
        { removed: true, count: 3 },
      ]);
  });

  it('whose run a trigger of the project rejects does not stop others', async () => {
    await query(`
      create function public.reject() returns trigger language plpgsql as $$
      begin
        if new.command = 'select 1' then raise 'no'; end if;
        return new;
      end $$;
      create trigger reject before insert on cron.job_run_details for each row execute function public.reject()`);
    await schedule('@reboot', 'select 1');
    await schedule('@reboot', 'select 2');
    startRunner();
    expect(await ended()).toMatchObject({ command: 'select 2', status: 'succeeded' });
    await database.run('drop trigger reject on cron.job_run_details; drop function public.reject()');
  });

  it('whose extension was dropped leaves no warning', async () => {
    const [backend] = await query('select pg_backend_pid() as pid', service);
    await query('select pg_advisory_lock(7)');
    await schedule('@reboot', WAIT);
    startRunner();
    await expect.poll(() => query(RUNS)).toMatchObject([{ status: 'running' }]);
    await query('drop extension pg_cron');
    await query('select pg_advisory_unlock(7)');
    // The end of the run cannot be recorded, so the runner looks for the tables.
    const text = `select query from pg_stat_activity where pid = ${backend?.pid} and state = 'idle'`;
    await expect
      .poll(() => database.admin.query({ text }))
      .toEqual([{ query: expect.stringContaining('pg_catalog.pg_class') }]);
    await query('create extension pg_cron');
    expect(warnings).toEqual([]);
  });

  it('does not run after the extension was dropped, and runs again with a new one', async () => {
    const runner = startRunner();
    await query(
      `drop extension pg_cron; create extension pg_cron; select cron.schedule('5 seconds', 'select 1')`,
    );
    await expect
      .poll(() => {
        runner.advance(6000);
        return query(RUNS);
      })
      .not.toEqual([]);
  });
});

it('nodes take over from each other, and a job calls a function with a secret of Vault', async () => {
  const endpoint = await startHttpEndpoint();
  const openNode = () =>
    openTestJobs({
      localUrl: endpoint.url,
      queueUrl: database.netUrl,
      ownerUrl: database.ownerUrl,
      allowed: [`127.0.0.1:${endpoint.port}`],
    });
  const nodes = [await openNode(), await openNode()];
  try {
    await query(`select vault.create_secret('key-of-test', 'service_key');
      select cron.schedule('call', '1 seconds', $$
        select net.http_post(
          url := '${endpoint.url}/functions/v1/nightly',
          headers := jsonb_build_object('Authorization', 'Bearer ' || (
            select decrypted_secret from vault.decrypted_secrets where name = 'service_key'
          )),
          body := '{"a": 1}'
        ) $$)`);
    await expect.poll(() => endpoint.received).not.toEqual([]);
    expect(endpoint.received[0]).toMatchObject({
      method: 'POST',
      path: '/functions/v1/nightly',
      headers: { authorization: 'Bearer key-of-test' },
      body: '{"a": 1}',
    });
    await nodes.shift()?.close();
    const before = (await query(RUNS)).length;
    await expect.poll(async () => (await query(RUNS)).length).toBeGreaterThan(before);
    await nodes[0]?.health.jobs?.();
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await endpoint.close();
  }
});

it('SQL accepts the same schedules as the service', async () => {
  const item = fc.oneof(
    fc.constantFrom(
      '*',
      '*/2',
      '*/0',
      '$',
      '5',
      '007',
      '60',
      '59',
      '1-5',
      '5-1',
      '1-70/2',
      '1/2',
      '1-5/0',
      'mon',
      'MON-fri',
      'sun',
      'jan',
      'Dec',
      'mond',
      '',
      ',',
      '1,',
      '*,5',
      '5.x',
      '-1',
      '*/32',
      '7',
      '8',
      '0',
      '31',
      '24',
    ),
    fc.string({ unit: fc.constantFrom('*', '/', '-', ',', '1', '5', '9', 'a'), maxLength: 5 }),
  );
  const blank = fc.constantFrom(' ', '  ', '\t', '\n');
  const fields = fc
    .array(fc.tuple(item, blank), { minLength: 4, maxLength: 6 })
    .map((parts) => parts.flat().join(''));
  const valid = fc
    .array(fc.constantFrom('*', '1', '1-5/2', '*/2', '2,3'), { minLength: 5, maxLength: 6 })
    .map((parts) => parts.join(' '));
  const interval = fc
    .tuple(
      fc.constantFrom('', ' ', '+'),
      fc.integer({ min: -1, max: 70 }),
      fc.constantFrom('', ' ', '\n'),
      fc.constantFrom('second', 'seconds', 'Seconds ', 'secondc', 'seconds c', 'second '),
    )
    .map((parts) => parts.join(''));
  const word = fc
    .tuple(
      fc.constantFrom('', ' ', '\n'),
      fc.constantFrom(
        '@daily',
        '@Daily',
        '@reboot',
        '@restart',
        '@restar',
        '@hourly',
        '@yearly',
        '@annually',
        '@toString',
      ),
      fc.constantFrom('', ' x', 'x', '\n'),
    )
    .map((parts) => parts.join(''));
  const texts = fc.sample(fc.oneof(fields, valid, interval, word), { numRuns: 3000 });
  texts.push('*'.repeat(1000), `${' '.repeat(990)}* * * * *`, `${' '.repeat(989)}* * * * *`);
  const { rows } = await client.query<{ text: string; valid: boolean }>(
    'select text, cron._is_valid_schedule(text) as valid from unnest($1::text[]) as text',
    [texts],
  );
  const different = rows.filter(({ text, valid }) => (parseSchedule(text) !== undefined) !== valid);
  expect(different).toEqual([]);
  expect(rows.filter(({ valid }) => valid).length).toBeGreaterThan(300);
});
