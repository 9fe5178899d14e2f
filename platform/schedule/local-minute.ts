/** Minutes in a time zone, as schedules match them. */

const MS_PER_MINUTE = 60_000;

/** A minute in the time zone of a schedule. */
export interface LocalMinute {
  minute: number;
  hour: number;
  dayOfMonth: number;
  /** 1 to 12. */
  month: number;
  /** 0 (Sunday) to 6. */
  dayOfWeek: number;
  isLastDayOfMonth: boolean;
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
