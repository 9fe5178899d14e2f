/**
 * Runs the jobs of `cron.job`. Notifications report changes of the table, and a timer wakes the runner when the next run can
 * become due: at the start of a minute, or after an interval. It reads nothing in between.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@greenroom/log';
import { createToLocal } from '@greenroom/schedule';
import type { CronMetrics } from '../metrics.ts';
import type { Query } from '../query.ts';
import type { Work } from '../session.ts';
import { createWorkLoop } from '../work-loop.ts';
import { deleteRunsOfOthers, failUnfinishedRuns, hasCronTables, readJobs } from './job-tables.ts';
import type { FindLogin } from './login.ts';
import { createRecordedRun } from './recorded-run.ts';
import { createTasks, type Task } from './tasks.ts';

/** Pause after a statement failed. */
const RETRY_MS = 1000;
/** A stop waits this long for runs in progress, and then cancels them. */
const FINISH_TIMEOUT_MS = 10_000;
const CANCEL_TIMEOUT_MS = 7000;
const END_TIMEOUT_MS = 1000;

/** Options of {@link createCronRunner}. */
interface CronRunnerOptions {
  query: Query;
  findLogin: FindLogin;
  settings: { maxRunningJobs: number; maxRunsPerJob: number; timeZone: string };
  /** Whether the process has just started, so that jobs with the schedule `@reboot` run. */
  isStart: boolean;
  metrics: CronMetrics;
  log: Pick<Logger, 'warn'>;
  /** Returns milliseconds since the Unix epoch. */
  now?: () => number;
}

/** Creates a runner, which begins when it is woken. Jobs that were due before are not made up. */
export function createCronRunner(options: CronRunnerOptions): Work {
  const { query, settings, isStart, metrics, log, now = Date.now } = options;
  const stop = new AbortController();
  /** Cancels the runs, whose outcomes are still stored. */
  const cancelAll = new AbortController();
  const tasks = createTasks(createToLocal(settings.timeZone), now());
  const loop = createWorkLoop({ step, onError, retryMs: RETRY_MS, stop: stop.signal });
  const execute = createRecordedRun(options);
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStale = true;
  let isPrepared = false;
  let isFinishing = false;

  async function step(): Promise<void> {
    if (isFinishing) return;
    clearTimeout(timer);
    if (isStale) await refresh();
    tasks.addDue(now());
    for (const task of tasks.takeDue(settings.maxRunningJobs - running.size, now())) start(task);
    const pauseMs = tasks.untilNext(now());
    if (pauseMs !== undefined) timer = setTimeout(loop.request, Math.max(pauseMs, 1)).unref();
  }

  async function refresh(): Promise<void> {
    // Before the statements: a notification that arrives meanwhile sets it again.
    isStale = false;
    const isInstalled = await hasCronTables(query);
    const jobs = isInstalled ? await readJobs(query) : [];
    if (isInstalled && !isPrepared) {
      await failUnfinishedRuns(query);
      await deleteRunsOfOthers(query, jobs, settings.maxRunsPerJob);
    }
    tasks.refresh(jobs, now());
    if (isInstalled && !isPrepared && isStart) tasks.addStart();
    isPrepared = true;
  }

  async function onError({ message }: Error): Promise<void> {
    isStale = true;
    if (await mayHaveTables(query))
      log.warn({ reason: message }, 'the cron jobs could not be read; it is retried');
  }

  function start(task: Task): void {
    const signal = AbortSignal.any([task.cancel.signal, cancelAll.signal, stop.signal]);
    const run = execute(task.job, signal)
      .catch(async (error: Error) => {
        if (stop.signal.aborted) return;
        isStale = true;
        if (!(await mayHaveTables(query))) return;
        log.warn({ job: task.job.id, reason: error.message }, 'the run of a cron job could not be recorded');
      })
      .finally(() => {
        running.delete(run);
        tasks.end(task);
        reportRunning();
        loop.request();
      });
    running.add(run);
    reportRunning();
  }

  function reportRunning(): void {
    if (!stop.signal.aborted) metrics.inProgress.set(running.size);
  }

  const end = () => {
    clearTimeout(timer);
    stop.abort();
    metrics.inProgress.set(0);
  };
  return {
    wake() {
      isStale = true;
      loop.request();
    },
    abort: end,
    async finish() {
      isFinishing = true;
      clearTimeout(timer);
      const allEnded = () => Promise.all(running);
      await Promise.race([allEnded(), sleep(FINISH_TIMEOUT_MS, undefined, { ref: false })]);
      cancelAll.abort();
      await Promise.race([allEnded(), sleep(CANCEL_TIMEOUT_MS, undefined, { ref: false })]);
      end();
      // A database that does not respond does not hold up the end.
      await Promise.race([loop.ended(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** Returns false if the extension was dropped, which explains a failed statement. */
function mayHaveTables(query: Query): Promise<boolean> {
  return hasCronTables(query).catch(() => true);
}
