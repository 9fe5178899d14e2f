import { describe, expect, it } from 'vitest';
import { latencies, percentile } from './latency.ts';

describe('percentile', () => {
  it.each<[string, number[], number, number]>([
    ['no values', [], 0.99, 0],
    ['one value', [7], 0.5, 7],
    ['the median of an odd number of values', [3, 1, 2], 0.5, 2],
    ['the median of an even number of values', [4, 1, 3, 2], 0.5, 2],
    ['the largest of few values', [1, 9, 2], 0.99, 9],
    ['the 99th of a hundred values', Array.from({ length: 100 }, (_, i) => 100 - i), 0.99, 99],
    ['numbers in numeric order', [10, 9, 100], 1, 100],
  ])('returns %s', (_, values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

it('groups samples by service and counts reasons of failures', () => {
  const samples = [
    { service: 'data', ms: 1 },
    { service: 'data', ms: 30, error: '504' },
    { service: 'data', ms: 20, error: '504' },
    { service: 'data', ms: 2, error: '429' },
    { service: 'auth', ms: 5 },
  ];
  expect(latencies(samples)).toEqual({
    data: { count: 4, p50Ms: 2, p99Ms: 30, errors: 3, reasons: ['504 ×2', '429 ×1'] },
    auth: { count: 1, p50Ms: 5, p99Ms: 5, errors: 0, reasons: [] },
  });
});
