/** The minutes for which jobs are due, and their local time. */
import type { LocalMinute } from './schedule.ts';

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

/** Returns the local time of a minute since the Unix epoch. */
export type ToLocal = (minute: number) => LocalMinute;

/** Creates the conversion into a time zone of the IANA database. Throws a RangeError for an unknown one. */
export function createToLocal(timeZone: string): ToLocal {
  if (timeZone === 'UTC') return (minute) => localMinute(new Date(minute * MS_PER_MINUTE));
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (minute) => {
    const parts = new Map(
      format.formatToParts(minute * MS_PER_MINUTE).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return localMinute(
      new Date(Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'))),
    );
  };
}

/** @param date local time, written as UTC */
function localMinute(date: Date): LocalMinute {
  const tomorrow = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1));
  return {
    minute: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    dayOfMonth: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    dayOfWeek: date.getUTCDay(),
    isLastDayOfMonth: tomorrow.getUTCDate() === 1,
  };
}
