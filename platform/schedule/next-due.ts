/** Finds the next minute in which a schedule is due. */
import { createToLocal } from './local-minute.ts';
import { type CalendarSchedule, matchesDay } from './schedule.ts';

const MS_PER_MINUTE = 60_000;
const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1440;
/** Five years. The 29th of February returns after four years, except for years such as 2100. */
const MAX_DAYS = 5 * 365 + 2;

const toUtc = createToLocal('UTC');

/** Returns the first minute (UTC) after `after` in which a schedule is due; undefined if there is none within five years. */
export function nextDue(schedule: CalendarSchedule, after: Date): Date | undefined {
  const first = Math.floor(after.getTime() / MS_PER_MINUTE) + 1;
  const firstDay = Math.floor(first / MINUTES_PER_DAY) * MINUTES_PER_DAY;
  const times = timesOfDay(schedule);
  for (let day = firstDay; day <= firstDay + MAX_DAYS * MINUTES_PER_DAY; day += MINUTES_PER_DAY) {
    if (!matchesDay(schedule, toUtc(day))) continue;
    const time = times.find((minute) => day + minute >= first);
    if (time !== undefined) return new Date((day + time) * MS_PER_MINUTE);
  }
  return undefined;
}

/** Returns the minutes of a day in which a schedule is due, ascending. */
function timesOfDay({ hours, minutes }: CalendarSchedule): number[] {
  return [...hours]
    .flatMap((hour) => [...minutes].map((minute) => hour * MINUTES_PER_HOUR + minute))
    .toSorted((one, other) => one - other);
}
