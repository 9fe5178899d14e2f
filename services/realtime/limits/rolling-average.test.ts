import { expect, it } from 'vitest';
import { RollingAverage } from './rolling-average.ts';

it('counts a second on the average of a minute, and forgets what is older', () => {
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
