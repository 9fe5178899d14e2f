import { expect, it } from 'vitest';
import { cached } from './cached.ts';

it('shares a read between concurrent callers, and reads again after the interval', async () => {
  let reads = 0;
  let time = 0;
  const read = cached(
    100,
    async () => ++reads,
    () => time,
  );
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  time = 99;
  expect(await read()).toBe(1);
  time = 100;
  expect(await read()).toBe(2);
});

it('returns undefined for a read that fails, and does not repeat it within the interval', async () => {
  let reads = 0;
  const read = cached(1000, async () => {
    reads += 1;
    throw new Error('unreachable');
  });
  expect([await read(), await read(), reads]).toEqual([undefined, undefined, 1]);
});
