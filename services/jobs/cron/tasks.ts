/** When jobs start: at most one run of a job at a time, and further ones that became due meanwhile after it, as in pg_cron. */
import { type LocalMinute, matches, parseSchedule, type Schedule, type ToLocal } from '@greenroom/schedule';
import { type DueMinute, dueMinutes, minuteOf, untilNextMinute } from './clock.ts';

/** A row of `cron.job`. */
export interface Job {
  id: string;
  schedule: string;
  command: string;
  database: string;
  owner: string;
  isActive: boolean;
}

/** The state of a job. */
export interface Task {
  job: Job;
  /** Undefined if it is not valid: such a job never runs. */
  schedule: Schedule | undefined;
  /** Runs that are due. */
  pending: number;
  isRunning: boolean;
  /** Start of the last run, or the time at which the job became known, in milliseconds. Intervals begin here. */
  startedAt: number;
  /** Ends the run in progress, because the job was removed or deactivated. */
  cancel: AbortController;
}

/** The tasks of a node. Times are milliseconds since the Unix epoch. */
interface Tasks {
  /** Replaces the jobs. Cancels runs of those that are removed or inactive now. */
  refresh(jobs: readonly Job[], now: number): void;
  /** Adds the runs of `@reboot`. */
  addStart(): void;
  /** Adds the runs that are due. */
  addDue(now: number): void;
  /** Removes up to `limit` due runs of jobs that are not running, marks them as running, and returns their tasks. */
  takeDue(limit: number, now: number): Task[];
  /** Marks a run as ended. */
  end(task: Task): void;
  /** Returns the time until the next run can become due; undefined if no job is active. */
  untilNext(now: number): number | undefined;
}

/** Creates the tasks. Minutes before `now` are not made up. */
export function createTasks(toLocal: ToLocal, now: number): Tasks {
  const tasks = new Map<string, Task>();
  let lastMinute = minuteOf(now);

  const active = () =>
    [...tasks.values()].filter(({ job, schedule }) => job.isActive && schedule !== undefined);

  return {
    refresh(jobs, now) {
      const ids = new Set(jobs.map(({ id }) => id));
      for (const [id, task] of tasks) {
        if (!ids.has(id)) {
          task.cancel.abort();
          tasks.delete(id);
        }
      }
      for (const job of jobs) update(tasks, job, now);
    },
    addStart() {
      for (const task of active()) if (task.schedule?.kind === 'start') task.pending += 1;
    },
    addDue(now) {
      const passed = dueMinutes(lastMinute, minuteOf(now));
      lastMinute = passed.last;
      const due = passed.due.map((minute) => ({ ...minute, time: toLocal(minute.minute) }));
      for (const task of active()) {
        task.pending += dueOnCalendar(task, due);
        if (isIntervalDue(task, now)) task.pending = Math.max(task.pending, 1);
      }
    },
    takeDue(limit, now) {
      const due = active()
        .filter(({ pending, isRunning }) => pending > 0 && !isRunning)
        .slice(0, limit);
      for (const task of due) {
        task.pending -= 1;
        task.isRunning = true;
        task.startedAt = now;
        task.cancel = new AbortController();
      }
      return due;
    },
    end(task) {
      task.isRunning = false;
    },
    untilNext(now) {
      const times = active().flatMap((task) => timeUntilNext(task, now));
      return times.length === 0 ? undefined : Math.min(...times);
    },
  };
}

function update(tasks: Map<string, Task>, job: Job, now: number): void {
  const task = tasks.get(job.id);
  const schedule = parseSchedule(job.schedule);
  if (task === undefined) {
    tasks.set(job.id, {
      job,
      schedule,
      pending: 0,
      isRunning: false,
      startedAt: now,
      cancel: new AbortController(),
    });
    return;
  }
  task.job = job;
  task.schedule = schedule;
  if (!job.isActive) {
    task.pending = 0;
    task.cancel.abort();
  }
}

function dueOnCalendar({ schedule }: Task, due: readonly (DueMinute & { time: LocalMinute })[]): number {
  if (schedule?.kind !== 'calendar') return 0;
  return due.filter(
    ({ time, isForRecurring }) => (isForRecurring || !schedule.isRecurring) && matches(schedule, time),
  ).length;
}

function isIntervalDue({ schedule, startedAt }: Task, now: number): boolean {
  return schedule?.kind === 'interval' && now - startedAt >= schedule.seconds * 1000;
}

/** A job that runs, or waits for others to end, is checked again when a run ends. */
function timeUntilNext({ schedule, startedAt, isRunning, pending }: Task, now: number): number[] {
  if (schedule?.kind === 'calendar') return [untilNextMinute(now)];
  if (schedule?.kind === 'interval' && !isRunning && pending === 0)
    return [Math.max(startedAt + schedule.seconds * 1000 - now, 0)];
  return [];
}
