/**
 * Schedules of jobs, as pg_cron parses and matches them: five fields of Vixie's cron, words such as `@daily`, or an interval.
 * `cron._is_valid_schedule` (platform/postgres/extensions/pg_cron) accepts the same texts.
 */

import type { LocalMinute } from './local-minute.ts';

/** A parsed schedule. */
export type Schedule = CalendarSchedule | IntervalSchedule | StartSchedule;

/** Five fields. A day matches one of its two fields, or both if `matchesBothDays`. */
export interface CalendarSchedule {
  kind: 'calendar';
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  daysOfMonth: ReadonlySet<number>;
  includesLastDay: boolean;
  /** 1 to 12. */
  months: ReadonlySet<number>;
  /** 0 (Sunday) to 6. */
  daysOfWeek: ReadonlySet<number>;
  /** Whether a field of days begins with `*`. */
  matchesBothDays: boolean;
  /** Whether minutes or hours begin with `*`. After a gap, such a job runs once. */
  isRecurring: boolean;
}

/** `N seconds` */
interface IntervalSchedule {
  kind: 'interval';
  seconds: number;
}

/** `@reboot` */
interface StartSchedule {
  kind: 'start';
}

const MAX_BYTES = 1000;
const INTERVAL = /^\s*\+?0*([1-9]|[1-5]\d)\s*second(?:s\s*)?$/i;
const WORD = /^@([a-z]+)(?:[ \n]|$)/;
const FIELDS = /^(\S+) +(\S+) +(\S+) +(\S+) +(\S+)/;
const ITEM = /^(?:(\*)|([\da-z]+)(?:-([\da-z]+))?)(?:\/(\d+))?$/i;
const LAST_DAY = '$';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Words that stand for five fields. */
const WORDS: Readonly<Record<string, string>> = {
  yearly: '0 0 1 1 *',
  annually: '0 0 1 1 *',
  monthly: '0 0 1 * *',
  weekly: '0 0 * * 0',
  daily: '0 0 * * *',
  midnight: '0 0 * * *',
  hourly: '0 * * * *',
};
const START_WORDS: readonly string[] = ['reboot', 'restart'];

/** Returns the schedule of a text; undefined if pg_cron rejects it. A text after the fifth field is ignored. */
export function parseSchedule(text: string): Schedule | undefined {
  if (Buffer.byteLength(text) >= MAX_BYTES) return undefined;
  const seconds = INTERVAL.exec(text)?.[1];
  if (seconds !== undefined) return { kind: 'interval', seconds: Number(seconds) };
  const line = text.replaceAll('\t', ' ').replace(/^[ \n]+/, '');
  const word = WORD.exec(line)?.[1];
  if (word === undefined) return parseFields(line);
  if (START_WORDS.includes(word)) return { kind: 'start' };
  return Object.hasOwn(WORDS, word) ? parseFields(WORDS[word] ?? '') : undefined;
}

/** Returns the schedule of exactly five fields; undefined for any other text, also for words and intervals. */
export function parseFiveFields(text: string): CalendarSchedule | undefined {
  const fields = text.trim().split(/[ \t]+/);
  return fields.length === 5 ? parseFields(fields.join(' ')) : undefined;
}

function parseFields(line: string): CalendarSchedule | undefined {
  const [, minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = FIELDS.exec(line) ?? [];
  const includesLastDay = dayOfMonth === LAST_DAY;
  const minutes = parseField(minute, { low: 0, high: 59 });
  const hours = parseField(hour, { low: 0, high: 23 });
  const daysOfMonth = includesLastDay ? new Set<number>() : parseField(dayOfMonth, { low: 1, high: 31 });
  const months = parseField(month, { low: 1, high: 12, names: MONTHS });
  const daysOfWeek = parseField(dayOfWeek, { low: 0, high: 7, names: DAYS });
  if (!(minutes && hours && daysOfMonth && months && daysOfWeek)) return undefined;
  if (daysOfWeek.has(7)) daysOfWeek.add(0);
  return {
    kind: 'calendar',
    minutes,
    hours,
    daysOfMonth,
    includesLastDay,
    months,
    daysOfWeek,
    matchesBothDays: dayOfMonth.startsWith('*') || dayOfWeek.startsWith('*'),
    isRecurring: minute.startsWith('*') || hour.startsWith('*'),
  };
}

/** Limits of the numbers of a field, and names of its numbers from the lowest one on. */
interface FieldLimits {
  low: number;
  high: number;
  names?: readonly string[];
}

/** Returns the numbers of a list of numbers, ranges and steps; undefined if it is not valid. */
function parseField(field: string, limits: FieldLimits): Set<number> | undefined {
  const numbers = new Set<number>();
  for (const item of field.split(',')) {
    const range = parseItem(item, limits);
    if (range === undefined) return undefined;
    for (let value = range.from; value <= range.to; value += range.step) numbers.add(value);
  }
  return numbers;
}

/** A range from the higher to the lower number is valid and contains no number. */
function parseItem(
  item: string,
  { low, high, names = [] }: FieldLimits,
): { from: number; to: number; step: number } | undefined {
  const parts = ITEM.exec(item);
  if (parts === null) return undefined;
  const [, star, first = '', last, stepText] = parts;
  const numberOf = (text: string) => {
    const index = names.indexOf(text.toLowerCase());
    return index === -1 ? Number(/^\d+$/.test(text) ? text : Number.NaN) : index + low;
  };
  const from = star === undefined ? numberOf(first) : low;
  const to = star === undefined ? numberOf(last ?? first) : high;
  const step = Number(stepText ?? 1);
  const isSingle = star === undefined && last === undefined;
  if (isSingle && stepText !== undefined) return undefined;
  const isWithin = (value: number) => value >= low && value <= high;
  return isWithin(from) && isWithin(to) && step >= 1 && step <= high ? { from, to, step } : undefined;
}

/** Whether a schedule is due in a minute. */
export function matches(schedule: CalendarSchedule, time: LocalMinute): boolean {
  const { minutes, hours } = schedule;
  return minutes.has(time.minute) && hours.has(time.hour) && matchesDay(schedule, time);
}

/** Whether a schedule is due in any minute of a day. */
export function matchesDay(schedule: CalendarSchedule, time: LocalMinute): boolean {
  const { months, daysOfMonth, daysOfWeek, includesLastDay, matchesBothDays } = schedule;
  if (!months.has(time.month)) return false;
  const isDayOfMonth = daysOfMonth.has(time.dayOfMonth) || (includesLastDay && time.isLastDayOfMonth);
  const isDayOfWeek = daysOfWeek.has(time.dayOfWeek);
  return matchesBothDays ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek;
}
