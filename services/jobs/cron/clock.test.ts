import { describe, expect, it } from 'vitest';
import { dueMinutes } from './clock.ts';

describe('the minutes that are due', () => {
  it.each([
    ['none within the same minute', 100, 100, [], 100],
    [
      'each after some minutes',
      100,
      103,
      [
        [101, true],
        [102, true],
        [103, true],
      ],
      103,
    ],
    ['none while the clock is behind', 100, 99, [], 100],
    ['the current one after the clock went back by hours', 1000, 800, [[800, true]], 800],
    ['the current one after a long gap', 100, 300, [[300, true]], 300],
  ])('are %s', (_name, last, now, expected, next) => {
    const result = dueMinutes(last, now);
    expect(result.due.map(({ minute, isForRecurring }) => [minute, isForRecurring])).toEqual(expected);
    expect(result.last).toBe(next);
  });

  it('are each of a gap for fixed times, and one for recurring jobs', () => {
    const { due } = dueMinutes(100, 160);
    expect(due).toHaveLength(60);
    expect(due.filter(({ isForRecurring }) => isForRecurring)).toEqual([
      { minute: 160, isForRecurring: true },
    ]);
  });
});
