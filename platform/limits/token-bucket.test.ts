import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-bucket.ts';

describe('createTokenBuckets', () => {
  const takeTimes = (
    count: number,
    nowMs: number,
    buckets = createTokenBuckets({ perSecond: 1, burst: 3 }),
  ) => Array.from({ length: count }, () => buckets.take('a', nowMs));

  it('allows a burst, then rejects', () => {
    expect(takeTimes(5, 0)).toEqual([true, true, true, false, false]);
  });

  it('refills over time, up to the burst', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 3 });
    takeTimes(3, 0, buckets);
    expect(takeTimes(2, 1500, buckets)).toEqual([true, false]);
    expect(takeTimes(4, 1_000_000, buckets)).toEqual([true, true, true, false]);
  });

  it('tolerates a clock that runs backwards', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1 });
    expect(buckets.take('a', 10_000)).toBe(true);
    expect(buckets.take('a', 0)).toBe(false);
  });

  it('limits each key separately', () => {
    const buckets = createTokenBuckets({ perSecond: 1, burst: 1 });
    expect([buckets.take('a', 0), buckets.take('b', 0), buckets.take('a', 0)]).toEqual([true, true, false]);
  });

  it('accepts refunds, up to the burst', () => {
    const buckets = createTokenBuckets({ perSecond: 0, burst: 1 });
    buckets.take('a', 0);
    buckets.refund('a', 0);
    buckets.refund('a', 0);
    expect([buckets.take('a', 0), buckets.take('a', 0)]).toEqual([true, false]);
  });

  it('rejects all requests if the burst is 0', () => {
    expect(createTokenBuckets({ perSecond: 0, burst: 0 }).take('a', 0)).toBe(false);
  });

  it('removes only the least recently used key', () => {
    const buckets = createTokenBuckets({ perSecond: 0, burst: 1 }, 2);
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key, 0);
    expect(buckets.take('a', 0)).toBe(false);
    expect(buckets.take('b', 0)).toBe(true);
  });
});
