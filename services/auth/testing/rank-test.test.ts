import { expect, it } from 'vitest';
import { compareTimes, median } from './rank-test.ts';

const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

it.each([
  ['equal ranges', range(0, 30), range(0, 30), 1],
  // U = 1 + … + 14 = 105, mean 200, deviation √(20 · 20 · 41 / 12) = 36.97: z = 2.57
  ['overlapping ranges', range(0, 20), range(5.5, 20), 0.0102],
  ['constant values', Array(30).fill(1), Array(30).fill(1), 1],
])('returns the p-value of %s', (_, one, other, p) => {
  expect(compareTimes(one, other).p).toBeCloseTo(p, 3);
  expect(compareTimes(other, one).p).toBeCloseTo(p, 3);
});

it('detects two disjoint ranges', () => {
  const { p, medians } = compareTimes(range(0, 60), range(100, 60));
  expect(p).toBeLessThan(1e-15);
  expect(medians).toEqual([29.5, 129.5]);
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected);
});
