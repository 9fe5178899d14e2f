/**
 * The statements on the tables of pg_cron. One node at a time runs them.
 *
 * Each one uses a single table or sequence: `drop extension` locks them in an order that depends on the catalog, so a statement
 * that waits for one while it holds another could be part of a deadlock.
 */
import type { Query } from '../query.ts';
import type { Outcome } from './command.ts';
import type { Job } from './tasks.ts';

/** The channel that a change of `cron.job` notifies. */
export const CRON_CHANNEL = 'greenroom_cron';

/**
 * Whether the database has the tables that Greenroom creates, and not those of the hosted service's extension, whose worker is
 * part of PostgreSQL.
 */
const HAS_TABLES = `
  select count(*) = 2 as exists
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = relnamespace
  where nspname = 'cron' and relname in ('job', 'job_run_details') and relkind = 'r'
    and relowner = current_user::regrole`;

const READ_JOBS = `
  select jobid as id, schedule, command, database, username as owner, active as "isActive"
  from cron.job order by jobid`;

const NEXT_RUN = `select nextval('cron.runid_seq') as id`;

const ADD_RUN = `
  insert into cron.job_run_details (runid, jobid, database, username, command, status)
  values ($1, $2, $3, $4, $5, 'starting') returning runid as id`;

const START_RUN = `
  update cron.job_run_details set status = 'running', job_pid = $2, start_time = clock_timestamp() where runid = $1`;

const END_RUN = `
  update cron.job_run_details
  set status = $2, return_message = $3, start_time = coalesce(start_time, clock_timestamp()), end_time = clock_timestamp()
  where runid = $1`;

const FAIL_UNFINISHED = `
  update cron.job_run_details set status = 'failed', return_message = 'server restarted', end_time = now()
  where status in ('starting', 'running')`;

/** The rows of a job beyond the newest. */
const DELETE_OLD_RUNS = `
  delete from cron.job_run_details where jobid = $1 and runid <= (
    select runid from cron.job_run_details where jobid = $1 order by runid desc offset $2 limit 1
  )`;

const DELETE_RUNS_OF_OTHERS = `
  delete from cron.job_run_details where runid in (
    select runid from cron.job_run_details
    where coalesce(jobid <> all ($1::bigint[]), true)
    order by runid desc offset $2
  )`;

/** Whether the tables exist. */
export async function hasCronTables(query: Query): Promise<boolean> {
  const [row] = await query<{ exists: boolean }>(HAS_TABLES);
  return row?.exists ?? false;
}

/** Returns all jobs. */
export function readJobs(query: Query): Promise<Job[]> {
  return query<Job>(READ_JOBS);
}

/** Adds a run with the status `starting`, and returns its id. */
export async function addRun(query: Query, { id, database, owner, command }: Job): Promise<string> {
  const [next] = await query<{ id: string }>(NEXT_RUN);
  const [run] = await query<{ id: string }>(ADD_RUN, [next?.id, id, database, owner, command]);
  if (run === undefined) throw new Error('a trigger of the project has removed the run');
  return run.id;
}

/** Changes the status of a run to `running`. */
export async function startRun(query: Query, id: string, pid: number): Promise<void> {
  await query(START_RUN, [id, pid]);
}

/** Stores the outcome of a run. */
export async function endRun(query: Query, id: string, { status, message }: Outcome): Promise<void> {
  await query(END_RUN, [id, status, message]);
}

/** Marks the runs that a crash has ended as failed. */
export async function failUnfinishedRuns(query: Query): Promise<void> {
  await query(FAIL_UNFINISHED);
}

/** Deletes all but the newest `keep` runs of a job. */
export async function deleteOldRuns(query: Query, job: string, keep: number): Promise<void> {
  await query(DELETE_OLD_RUNS, [job, keep]);
}

/** Deletes all but the newest `keep` runs of jobs other than these. */
export async function deleteRunsOfOthers(query: Query, jobs: readonly Job[], keep: number): Promise<void> {
  await query(DELETE_RUNS_OF_OTHERS, [jobs.map(({ id }) => id), keep]);
}
