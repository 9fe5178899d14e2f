/** The minutes for which jobs are due. */

const MS_PER_MINUTE = 60_000;
/** The clock of a busy machine: jobs of each missed minute run. */
const MAX_CAUGHT_UP_MINUTES = 5;
/** A longer gap, or a longer way back, is a change of the clock: nothing is made up. */
const MAX_GAP_MINUTES = 180;

/** A minute since the Unix epoch for which jobs run if their schedule matches it. */
export interface DueMinute {
  minute: number;
  /** Whether jobs whose minutes or hours begin with `*` run, too. */
  isForRecurring: boolean;
}

/** Returns the minute of a time in milliseconds. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / MS_PER_MINUTE);
}

/** Returns the time until the next minute begins, in milliseconds. */
export function untilNextMinute(ms: number): number {
  return MS_PER_MINUTE - (ms % MS_PER_MINUTE);
}

/**
 * Returns the minutes that are due since `last`, as pg_cron does for changes of the clock: after a gap of up to three hours,
 * jobs with a fixed time are made up, recurring ones run once. If the clock goes back by less, nothing runs until it has caught
 * up, so that no job is repeated; then the last minute stays.
 */
export function dueMinutes(last: number, now: number): { due: DueMinute[]; last: number } {
  const passed = now - last;
  if (passed > -MAX_GAP_MINUTES && passed <= 0) return { due: [], last };
  if (passed <= -MAX_GAP_MINUTES || passed > MAX_GAP_MINUTES) {
    return { due: [{ minute: now, isForRecurring: true }], last: now };
  }
  const isGap = passed > MAX_CAUGHT_UP_MINUTES;
  const due = Array.from({ length: passed }, (_, index) => {
    const minute = last + index + 1;
    return { minute, isForRecurring: !isGap || minute === now };
  });
  return { due, last: now };
}
