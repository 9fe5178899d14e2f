import { expect, it } from 'vitest';
import { backoffDelay } from './backoff.ts';

it.each([
  [0, 0],
  [1, 1000],
  [2, 2000],
  [3, 5000],
  [4, 10_000],
  [50, 10_000],
])('returns after %s failures %s ms', (failures, wait) => {
  expect(backoffDelay(failures)).toBe(wait);
});
