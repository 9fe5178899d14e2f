import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToLocal } from './local-minute.ts';
import { nextDue } from './next-due.ts';
import { type CalendarSchedule, matches, parseFiveFields } from './schedule.ts';

const MS_PER_MINUTE = 60_000;
const FIVE_YEARS_MS = 5 * 366 * 86_400_000;
const toUtc = createToLocal('UTC');

function parsed(text: string): CalendarSchedule {
  const schedule = parseFiveFields(text);
  if (schedule === undefined) throw new Error(`not five fields: ${text}`);
  return schedule;
}

const isDueAt = (schedule: CalendarSchedule, date: Date) =>
  matches(schedule, toUtc(date.getTime() / MS_PER_MINUTE));

describe('the next time', () => {
  it.each([
    ['0 3 * * *', '2026-11-27T02:59:59.999Z', '2026-11-27T03:00:00.000Z'],
    ['0 3 * * *', '2026-11-27T03:00:00.000Z', '2026-11-28T03:00:00.000Z'],
    ['* * * * *', '2026-11-27T03:00:59.999Z', '2026-11-27T03:01:00.000Z'],
    ['* * * * *', '2026-12-31T23:59:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['*/25 */9 * * *', '2026-11-27T09:50:00.000Z', '2026-11-27T18:00:00.000Z'],
    ['10-40/15 4 * * *', '2026-11-27T04:10:00.000Z', '2026-11-27T04:25:00.000Z'],
    ['0 12 $ * *', '2027-02-01T00:00:00.000Z', '2027-02-28T12:00:00.000Z'],
    ['0 12 $ * *', '2028-02-01T00:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['0 0 29 2 *', '2026-11-27T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
    ['0 0 29 2 *', '2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z'],
    // One of both fields of days is enough.
    ['0 0 13 * fri', '2026-11-13T00:00:00.000Z', '2026-11-20T00:00:00.000Z'],
  ])('of %s after %s is %s', (text, after, expected) => {
    expect(nextDue(parsed(text), new Date(after))?.toISOString()).toBe(expected);
  });

  it.each([
    ['a day that does not exist', '0 0 30 2 *', '2026-11-27T00:00:00.000Z'],
    ['the leap day of 2100, which does not exist', '0 0 29 2 *', '2096-03-01T00:00:00.000Z'],
    ['a field without numbers', '0 5-1 * * *', '2026-11-27T00:00:00.000Z'],
  ])('of a schedule that is not due within five years is undefined: %s', (_name, text, after) => {
    expect(nextDue(parsed(text), new Date(after))).toBeUndefined();
  });

  it('is the first minute that matches the schedule', () => {
    const field = (low: number, high: number) => {
      const value = fc.integer({ min: low, max: high });
      const step = fc.integer({ min: 1, max: high }).map((every) => `*/${every}`);
      return fc.oneof(fc.constant('*'), value.map(String), step);
    };
    const days = fc.oneof(fc.constant('$'), field(1, 31));
    const fields = fc.tuple(field(0, 59), field(0, 23), days, field(1, 12), field(0, 7));
    const time = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2090-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fields, time, (texts, after) => {
        const schedule = parsed(texts.join(' '));
        const due = nextDue(schedule, after);
        if (due !== undefined) {
          expect(due.getTime()).toBeGreaterThan(after.getTime());
          expect(due.getTime() % MS_PER_MINUTE).toBe(0);
          expect(due.getTime() - after.getTime()).toBeLessThanOrEqual(FIVE_YEARS_MS);
          expect(isDueAt(schedule, due)).toBe(true);
        }
        // The minutes before it, for at most ten days.
        const first = Math.floor(after.getTime() / MS_PER_MINUTE) + 1;
        const minutesBefore = (due?.getTime() ?? Number.POSITIVE_INFINITY) / MS_PER_MINUTE - first;
        const earlier = Array.from({ length: Math.min(14_400, minutesBefore) }, (_, index) => first + index);
        expect(earlier.find((minute) => matches(schedule, toUtc(minute)))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});
