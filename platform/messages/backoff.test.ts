import { describe, expect, it } from 'vitest';
import { backoffMs, giveUpBefore } from './backoff.ts';

describe('backoffMs', () => {
  it.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 1800],
    [6, 3600],
    [20, 3600],
  ])('returns after attempt %i a delay of %i s and up to a tenth more', (attempts, seconds) => {
    expect(backoffMs(attempts, 0)).toBe(seconds * 1000);
    expect(backoffMs(attempts, 1)).toBeCloseTo(seconds * 1100);
  });
});

it('messages fail after a day', () => {
  expect(giveUpBefore(new Date('2026-05-02T10:00:00Z'))).toEqual(new Date('2026-05-01T10:00:00Z'));
});
