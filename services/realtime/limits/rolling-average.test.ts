import { expect, it } from 'vitest';
import { RollingAverage } from './rolling-average.ts';

it('averages events per second over a minute, and drops older ones', () => {
  let now = 1000;
  const rate = new RollingAverage({ now: () => now });
  rate.add(600);
  expect(rate.average).toBe(10);
  now += 30_000;
  rate.add();
  rate.add(59);
  expect(rate.average).toBe(11);
  now += 30_000;
  expect(rate.average).toBe(1);
  now += 3_600_000;
  expect(rate.average).toBe(0);
});
