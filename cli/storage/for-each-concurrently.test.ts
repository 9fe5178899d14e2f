import { expect, it } from 'vitest';
import { forEachConcurrently } from './for-each-concurrently.ts';

async function* numbers(end: number, onEnd: () => void = () => undefined) {
  try {
    for (let number = 1; number <= end; number += 1) yield number;
  } finally {
    onEnd();
  }
}

it('runs work for all items, up to the limit at a time', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await forEachConcurrently(numbers(7), 3, async (number) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    done.push(number);
  });
  expect([most, done.toSorted()]).toEqual([3, [1, 2, 3, 4, 5, 6, 7]]);
});

it('starts no further work after a failure, and waits for the running work', async () => {
  const done: number[] = [];
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  const work = forEachConcurrently(numbers(9, close), 2, async (number) => {
    if (number === 2) throw new Error('second');
    await new Promise(setImmediate);
    done.push(number);
  });
  await expect(work).rejects.toThrow('second');
  expect([done, isClosed]).toEqual([[1], true]);
});
