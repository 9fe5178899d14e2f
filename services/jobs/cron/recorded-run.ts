/** Runs jobs, and records their runs in `cron.job_run_details`, metrics and log. */
import type { Logger } from '@greenroom/log';
import type { CronMetrics } from '../metrics.ts';
import type { Query } from '../query.ts';
import type { Outcome } from './command.ts';
import { addRun, deleteOldRuns, endRun, startRun } from './job-tables.ts';
import type { FindLogin } from './login.ts';
import { CANCELED, runJob } from './run.ts';
import type { Job } from './tasks.ts';

/** Old runs of a job are deleted after its first run, and after this number of further ones. */
const CLEAN_UP_EVERY_RUNS = 100;

/** Options of {@link createRecordedRun}. */
interface RecordedRunOptions {
  query: Query;
  findLogin: FindLogin;
  settings: { maxRunsPerJob: number };
  metrics: CronMetrics;
  log: Pick<Logger, 'warn'>;
}

/** Runs a job until the signal aborts. Rejects if the run could not be recorded. */
type RecordedRun = (job: Job, signal: AbortSignal) => Promise<void>;

/** Creates the function that runs jobs. */
export function createRecordedRun(options: RecordedRunOptions): RecordedRun {
  const { query, findLogin, settings, metrics, log } = options;
  /** Runs of each job since its old ones were deleted. */
  const runCounts = new Map<string, number>();

  async function perform(job: Job, run: string, signal: AbortSignal): Promise<Outcome> {
    const login = await findLogin(query, job);
    if ('refusal' in login) return { status: 'failed', message: login.refusal };
    if (signal.aborted) return CANCELED;
    const { url } = login;
    return runJob({ url, command: job.command, signal, onConnected: (pid) => startRun(query, run, pid) });
  }

  async function deleteOld(job: string): Promise<void> {
    const count = (runCounts.get(job) ?? CLEAN_UP_EVERY_RUNS - 1) + 1;
    runCounts.set(job, count % CLEAN_UP_EVERY_RUNS);
    if (count >= CLEAN_UP_EVERY_RUNS) await deleteOldRuns(query, job, settings.maxRunsPerJob);
  }

  return async (job, signal) => {
    const startedAt = performance.now();
    const run = await addRun(query, job);
    const outcome = await perform(job, run, signal);
    metrics.ended.inc({ status: outcome.status });
    metrics.seconds.observe((performance.now() - startedAt) / 1000);
    if (outcome.status === 'failed') {
      // The message may contain values of users, which do not belong in a log.
      const reason = { job: job.id, run, code: outcome.code };
      log.warn(reason, 'a cron job failed; cron.job_run_details has the message');
    }
    await endRun(query, run, outcome);
    await deleteOld(job.id);
  };
}
