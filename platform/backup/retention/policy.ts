/** Decides which backups are kept. Pure: times come from the manifests. */

/** How many backups of each kind of period are kept. Periods are those of UTC; weeks begin on Monday. */
export interface RetentionPolicy {
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
}

/** Result of the newest check of a backup. */
export type CheckState = 'passed' | 'failed' | 'unchecked';

/** A backup as the policy sees it. */
export interface RetainedBackup {
  id: string;
  /** Time of its state. */
  time: Date;
  check: CheckState;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-01 was a Thursday: the Monday before it. */
const FIRST_MONDAY_MS = -3 * DAY_MS;

/** Returns the number of the period that contains a time. */
const PERIODS: Readonly<Record<keyof RetentionPolicy, (time: Date) => number>> = {
  hourly: (time) => Math.floor(time.getTime() / HOUR_MS),
  daily: (time) => Math.floor(time.getTime() / DAY_MS),
  weekly: (time) => Math.floor((time.getTime() - FIRST_MONDAY_MS) / WEEK_MS),
  monthly: (time) => time.getUTCFullYear() * 12 + time.getUTCMonth(),
};

/**
 * Returns the ids of the backups to keep:
 * - of the newest periods that have a backup, the newest one that did not fail its check; so a pause of backups removes
 *   nothing
 * - the newest backup, and the newest one that passed its check
 */
export function selectKept(backups: readonly RetainedBackup[], policy: RetentionPolicy): ReadonlySet<string> {
  const newestFirst = backups.toSorted(newerFirst);
  const always = [newestFirst[0], newestFirst.find(({ check }) => check === 'passed')];
  const ofPeriods = (Object.keys(PERIODS) as (keyof RetentionPolicy)[]).flatMap((kind) =>
    newestOfPeriods(newestFirst, PERIODS[kind], policy[kind]),
  );
  return new Set([...always, ...ofPeriods].flatMap((backup) => (backup === undefined ? [] : [backup.id])));
}

function newestOfPeriods(
  newestFirst: readonly RetainedBackup[],
  periodOf: (time: Date) => number,
  count: number,
): RetainedBackup[] {
  const chosen = new Map<number, RetainedBackup>();
  for (const backup of newestFirst) {
    const period = periodOf(backup.time);
    const other = chosen.get(period);
    if (other === undefined ? chosen.size < count : isBetter(backup, other)) chosen.set(period, backup);
  }
  return [...chosen.values()];
}

/** Whether an older backup of a period is chosen instead of a newer one. */
function isBetter(older: RetainedBackup, newer: RetainedBackup): boolean {
  return newer.check === 'failed' && older.check !== 'failed';
}

function newerFirst(left: RetainedBackup, right: RetainedBackup): number {
  return right.time.getTime() - left.time.getTime() || (left.id < right.id ? 1 : -1);
}
