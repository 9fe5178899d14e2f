import { describe, expect, it } from 'vitest';
import { ClientRate } from './client-rate.ts';
import { RollingAverage } from './rolling-average.ts';

/** Creates a rate limit with a controllable clock for its total. */
function rateOf(perClient: number, total: number) {
  const clock = { ms: 0 };
  return { clock, rate: new ClientRate({ perClient, total }, new RollingAverage({ now: () => clock.ms })) };
}

describe('ClientRate', () => {
  it('permits bursts of ten seconds, then the rate', () => {
    const { rate } = rateOf(2, 1000);
    const take = (ms: number) => rate.take(['a'], ms);
    expect(Array.from({ length: 20 }, () => take(0)).every((each) => each === undefined)).toBe(true);
    expect([take(0), take(499), take(500), take(500), rate.take(['b'], 500)]).toEqual([
      'client',
      'client',
      undefined,
      'client',
      undefined,
    ]);
    expect(rate.waitMs(['a'], 500)).toBe(500);
  });

  it('permits an action that costs more than the remaining tokens, which delays the next one', () => {
    const { rate } = rateOf(1, 1000);
    expect(rate.take(['a'], 0, 15)).toBeUndefined();
    expect([rate.take(['a'], 5000), rate.take(['a'], 6000)]).toEqual(['client', undefined]);
  });

  it('reports whether a client has tokens for the whole cost of an action', () => {
    const { rate } = rateOf(1, 1000);
    expect([rate.has(['a'], 0, 10), rate.has(['a'], 0, 11), rate.has([], 0, 11)]).toEqual([
      true,
      false,
      true,
    ]);
    rate.charge(['a'], 0, 5);
    expect([rate.has(['a'], 0, 5), rate.has(['a'], 0, 6)]).toEqual([true, false]);
  });

  it('rejects the heaviest client after the total is exhausted, and no client below its fair share', () => {
    const { rate } = rateOf(1000, 1);
    for (let count = 0; count < 60; count += 1) expect(rate.take(['many'], 0)).toBeUndefined();
    expect(rate.take(['many'], 0)).toBe('total');
    for (let count = 0; count < 30; count += 1) expect(rate.take(['few'], 0)).toBeUndefined();
    expect(rate.take(['few'], 0)).toBe('total');
  });

  it('applies only the total to clients without keys', () => {
    const { rate, clock } = rateOf(1, 1);
    for (let count = 0; count < 60; count += 1) expect(rate.take([], 0)).toBeUndefined();
    expect(rate.take([], 0)).toBe('total');
    clock.ms = 60_000;
    expect(rate.take([], 60_000)).toBeUndefined();
  });

  it('removes inactive clients before it computes the fair share of an exhausted total', () => {
    const { rate, clock } = rateOf(1000, 1);
    for (let client = 0; client < 100; client += 1) rate.take([`old ${client}`], 0);
    clock.ms = 120_000;
    for (let count = 0; count < 60; count += 1) rate.take(['a'], 120_000);
    expect(rate.take(['a'], 120_000)).toBe('total');
    expect(rate.size).toBe(1);
  });
});
