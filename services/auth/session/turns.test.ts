import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

it('work with one key runs one after the other, in the order in which it came', async () => {
  const takeTurn = createTurns();
  const log: string[] = [];
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`);
    await sleep(ms);
    log.push(`${name} ends`);
    return name;
  };
  const answers = await Promise.all([
    takeTurn('a', work('first', 20)),
    takeTurn('a', work('second', 1)),
    takeTurn('b', work('other', 5)),
  ]);
  expect(answers).toEqual(['first', 'second', 'other']);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
  ]);
  expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});

it('work that fails is its own business', async () => {
  const takeTurn = createTurns();
  const failing = takeTurn('a', async () => {
    throw new Error('no');
  });
  const next = takeTurn('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await takeTurn('a', async () => 'again')).toBe('again');
});
