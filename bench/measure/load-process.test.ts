import { expect, it } from 'vitest';
import { rateOf } from './load-process.ts';

const round = (ms: number, ...latencies: number[]) => ({ ms, latencies: Float64Array.from(latencies) });

it.each([
  ['one turn', [round(500, 3, 1, 2)], { perSecond: 6, p50Ms: 2, p99Ms: 3 }],
  [
    'turns of different lengths',
    [round(1500, 30, 10), round(500, 20, 200)],
    { perSecond: 2, p50Ms: 30, p99Ms: 200 },
  ],
  [
    'a hundred calls',
    [round(1000, ...Array.from({ length: 100 }, (_, i) => 100 - i))],
    { perSecond: 100, p50Ms: 51, p99Ms: 100 },
  ],
  ['no calls', [round(1000)], { perSecond: 0, p50Ms: 0, p99Ms: 0 }],
])('returns the rate of %s', (_, rounds, rate) => {
  expect(rateOf(rounds)).toEqual(rate);
});
