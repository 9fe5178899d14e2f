/** Cron jobs of each second and of each minute, whose commands insert a row for their run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { countsOf, type Load } from './load.ts';

const POLL_MS = 100;
const MAX_READ = 500;

/** The row contains the run in which the command is executed. */
const INSERT = `insert into public.ticks (run)
  select runid from cron.job_run_details where job_pid = pg_backend_pid() and status = 'running'`;

/** Schedule and command by name. The pause leaves time for a kill between the row and its commit. */
const JOBS: Readonly<Record<string, readonly [schedule: string, command: string]>> = {
  'each second': ['1 seconds', INSERT],
  'each second, with a pause': ['1 seconds', `${INSERT}; select pg_sleep(0.3)`],
  'each second, with an error': ['1 seconds', `${INSERT}; select 1/0`],
  'each minute': ['* * * * *', INSERT],
  'each minute, with a pause': ['* * * * *', `${INSERT}; select pg_sleep(0.3)`],
};

/**
 * Rules that hold at any time, because each is one statement that returns the runs that break it. A run that was ended by a crash
 * is marked as failed, also if its command was committed, so only an error of the command itself excludes its row.
 */
const RULES: Readonly<Record<string, string>> = {
  'succeeded without exactly one row': `
    select runid as id from cron.job_run_details
    where status = 'succeeded' and (select count(*) from public.ticks where run = runid) <> 1`,
  'with a row although the command failed': `
    select runid as id from cron.job_run_details join public.ticks on run = runid where return_message like 'ERROR:%'`,
  'not recorded': `
    select run as id from public.ticks where not exists (select from cron.job_run_details where runid = run)`,
  'not marked as ended before the next run of the job': `
    select runid as id from (
      select runid, end_time, lead(runid) over (partition by jobid order by runid) as next_run from cron.job_run_details
    ) as r
    where end_time is null and next_run is not null`,
  'begun before the end of the previous run of the job': `
    select runid as id from (
      select runid, start_time, lag(end_time) over (partition by jobid order by runid) as previous_end
      from cron.job_run_details
    ) as r
    where start_time < previous_end`,
  'of a job that already ran in the minute': `
    select runid as id from (
      select runid, row_number() over (partition by jobid, date_trunc('minute', start_time) order by runid) as place
      from cron.job_run_details join cron.job using (jobid)
      where schedule = '* * * * *' and start_time is not null
    ) as r
    where place > 1`,
};

/** The journal has the runs that were recorded as succeeded. */
const runs: Load = {
  name: 'runs of cron jobs',
  promised: 'exactly once',
  migration: () => `
    create extension if not exists pg_cron;
    create table public.ticks (run bigint);
    ${Object.entries(JOBS)
      .map(
        ([name, [schedule, command]]) => `select cron.schedule('${name}', '${schedule}', $$ ${command} $$);`,
      )
      .join('\n')}`,
  writers: 1,
  async write({ query }, journal) {
    const succeeded = await query(
      `select runid as id from cron.job_run_details where status = 'succeeded' order by runid desc limit ${MAX_READ}`,
    );
    for (const { id } of succeeded) journal.acknowledged.add(String(id));
    await sleep(POLL_MS);
  },
  count: async ({ query }) =>
    countsOf(
      await query(`select runid as id, count(*) from cron.job_run_details join public.ticks on run = runid
        where status = 'succeeded' group by 1`),
    ),
  async violations({ query }) {
    const broken: [string, string[]][] = [];
    for (const [rule, text] of Object.entries(RULES)) {
      const rows = await query(text);
      broken.push([rule, rows.map(({ id }) => String(id))]);
    }
    return broken;
  },
};

/** The journal has the names of the jobs: each runs, although the instance is killed again and again. */
const jobs: Load = {
  name: 'cron jobs',
  promised: 'at least once',
  writers: 1,
  async write({ query }, journal) {
    for (const { jobname } of await query('select jobname from cron.job'))
      journal.acknowledged.add(String(jobname));
    await sleep(POLL_MS);
  },
  count: async ({ query }) =>
    countsOf(
      await query(`
        select distinct jobname as id, 1 as count from cron.job_run_details join cron.job using (jobid)
        where status = case jobname when 'each second, with an error' then 'failed' else 'succeeded' end`),
    ),
};

/** Jobs and their runs. */
export const CRON_LOADS: readonly Load[] = [runs, jobs];
