import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createToLocal } from './local-minute.ts';
import { matches, parseFiveFields, parseSchedule } from './schedule.ts';

const MINUTES_PER_DAY = 1440;

function parsed(text: string) {
  const schedule = parseSchedule(text);
  if (schedule?.kind !== 'calendar') throw new Error(`not five fields: ${text}`);
  return schedule;
}

/** Returns the minutes from a date on for which a schedule is due, as texts. */
function due(text: string, from: string, days: number, timeZone = 'UTC'): string[] {
  const toLocal = createToLocal(timeZone);
  const schedule = parsed(text);
  const first = Date.parse(from) / 60_000;
  return Array.from({ length: days * MINUTES_PER_DAY }, (_, index) => first + index)
    .filter((minute) => matches(schedule, toLocal(minute)))
    .map((minute) => new Date(minute * 60_000).toISOString().slice(0, 16));
}

describe('a schedule', () => {
  it.each([
    ['0 12 $ * *', '2024-02-27', 4, ['2024-02-29T12:00']],
    ['0 12 $ * *', '2025-02-27', 4, ['2025-02-28T12:00']],
    // Sunday is 0 and 7.
    ['0 0 * * 7', '2026-11-20', 7, ['2026-11-22T00:00']],
    ['0 0 * * sun', '2026-11-20', 7, ['2026-11-22T00:00']],
    ['0 0 * * 0', '2026-11-20', 7, ['2026-11-22T00:00']],
    // One of both fields of days is enough, unless one begins with a star.
    ['0 0 13 * 5', '2026-11-10', 7, ['2026-11-13T00:00']],
    ['0 0 12 * 5', '2026-11-10', 7, ['2026-11-12T00:00', '2026-11-13T00:00']],
    ['0 0 */2 * 5', '2026-11-01', 14, ['2026-11-13T00:00']],
    ['0 0 $ * 1', '2026-11-24', 9, ['2026-11-30T00:00']],
    ['0 0 29 2 *', '2027-01-01', 500, ['2028-02-29T00:00']],
    ['59 23 31 Dec *', '2026-12-31', 1, ['2026-12-31T23:59']],
    [
      '0,20-22,40-50/5 4 * * *',
      '2026-11-01',
      1,
      ['00', '20', '21', '22', '40', '45', '50'].map((minute) => `2026-11-01T04:${minute}`),
    ],
    ['0 */9 * * *', '2026-11-01', 1, ['2026-11-01T00:00', '2026-11-01T09:00', '2026-11-01T18:00']],
    ['@yearly', '2026-06-01', 365, ['2027-01-01T00:00']],
    ['@annually', '2026-06-01', 365, ['2027-01-01T00:00']],
    ['@monthly', '2026-06-02', 40, ['2026-07-01T00:00']],
    ['@weekly', '2026-11-20', 7, ['2026-11-22T00:00']],
    ['@daily', '2026-11-20', 2, ['2026-11-20T00:00', '2026-11-21T00:00']],
    ['@midnight', '2026-11-20', 1, ['2026-11-20T00:00']],
    // A range that ends before it begins contains no number.
    ['0 0 * * 6-0', '2026-11-01', 14, []],
  ])('%s is due from %s on, for %i days: %j', (text, from, days, expected) => {
    expect(due(text, from, days)).toEqual(expected);
  });

  it('is due in its time zone, also when the clock changes', () => {
    const berlin = (text: string, from: string) => due(text, from, 1, 'Europe/Berlin');
    expect(berlin('30 2 * * *', '2026-07-01')).toEqual(['2026-07-01T00:30']);
    expect(berlin('30 2 * * *', '2026-03-29')).toEqual([]);
    expect(berlin('30 2 * * *', '2026-10-25')).toEqual(['2026-10-25T00:30', '2026-10-25T01:30']);
    expect(berlin('0 0 $ * *', '2026-10-30')).toEqual(['2026-10-30T23:00']);
  });

  it('with each number of a field in a list is due in each minute', () => {
    const list = (low: number, high: number) =>
      Array.from({ length: high - low + 1 }, (_, index) => index + low).join();
    const every = `${list(0, 59)} ${list(0, 23)} ${list(1, 31)} ${list(1, 12)} ${list(0, 6)}`;
    expect(due(every, '2026-11-01', 1)).toHaveLength(MINUTES_PER_DAY);
  });

  it('with a step matches the numbers that the step reaches', () => {
    const range = fc.tuple(fc.nat(59), fc.nat(59), fc.integer({ min: 1, max: 59 }));
    fc.assert(
      fc.property(fc.array(range, { minLength: 1, maxLength: 4 }), fc.nat(59), (ranges, minute) => {
        const text = ranges.map(([from, to, step]) => `${from}-${to}/${step}`).join();
        const isReached = ranges.some(
          ([from, to, step]) => minute >= from && minute <= to && (minute - from) % step === 0,
        );
        expect(parsed(`${text} * * * *`).minutes.has(minute)).toBe(isReached);
      }),
    );
  });

  it.each([
    ['5 seconds', 5],
    ['  59  SECONDS ', 59],
    ['1 second', 1],
    ['30seconds', 30],
  ])('%s is an interval', (text, seconds) => {
    expect(parseSchedule(text)).toEqual({ kind: 'interval', seconds });
  });

  it.each(['@reboot', '@restart', ' @reboot '])('%s begins with the scheduler', (text) => {
    expect(parseSchedule(text)).toEqual({ kind: 'start' });
  });

  it.each(['0 3 * * *', '  0\t3  * * * '])('of five fields has no other text: %j', (text) => {
    expect(parseFiveFields(text)).toEqual(parseSchedule('0 3 * * *'));
  });

  it.each(['', '0 3 * *', '0 3 * * * root', '60 3 * * *', '@daily', '5 seconds', 'off', '0 3 * *\n*'])(
    'of five fields is not %j',
    (text) => {
      expect(parseFiveFields(text)).toBeUndefined();
    },
  );
});
