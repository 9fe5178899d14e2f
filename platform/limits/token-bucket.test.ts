import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

describe('createTokenBuckets', () => {
  const takeTimes = (
    count: number,
    nowMs: number,
    buckets = createTokenBuckets({ perSecond: 1, burst: 3 }),
  ) => Array.from({ length: count }, () => buckets.take('a', nowMs));

  it('allows a burst, then refuses', () => {
    expect(takeTimes(5, 0)).toEqual([true, true, true, false, false]);
  });

  it('fills as time passes, up to the burst', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 3 });
    takeTimes(3, 0, buckets);
    expect(takeTimes(2, 1500, buckets)).toEqual([true, false]);
    expect(takeTimes(4, 1_000_000, buckets)).toEqual([true, true, true, false]);
  });

  it('is not fooled by a clock that runs backwards', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1 });
    expect(buckets.take('a', 10_000)).toBe(true);
    expect(buckets.take('a', 0)).toBe(false);
  });

  it('keeps keys apart', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take('a', 0), buckets.take('b', 0), buckets.take('a', 0)]).toEqual([true, true, false]);
  });

  it('takes back what was not used, up to the burst', () => {
    const buckets = createTokenBuckets({ perSecond: 0, burst: 1 });
    buckets.take('a', 0);
    buckets.refund('a', 0);
    buckets.refund('a', 0);
    expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([true, false]);
  });

  it('refuses everything where nothing is allowed', () => {
    expect(createTokenBuckets({ perSecond: 0, burst: 0 }).take('a', 0)).toBe(false);
  });

  it('forgets the key that was used longest ago, and only that', () => {
    const buckets = createTokenBuckets({ perSecond: 0, burst: 1 }, 2);
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, 0);
    expect(buckets.take('a', 0)).toBe(false);
    expect(buckets.take('b', 0)).toBe(true);
  });
});
