import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

it('runs as many tasks as it has permits, and the others in the order of their calls', async () => {
  const limit = createSemaphore(2);
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3].map((number) =>
    limit(() => {
      started.push(number);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(started).toEqual([0, 1]);
  ends[1]?.();
  await works[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  ends[0]?.();
  await works[0];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();
  await Promise.all(works);
});

it('passes on the permit of a failed task', async () => {
  const limit = createSemaphore(1);
  const failed = limit(() => Promise.reject(new Error('of the work')));
  const next = limit(async () => 'done');
  await expect(failed).rejects.toThrow('of the work');
  await expect(next).resolves.toBe('done');
});
