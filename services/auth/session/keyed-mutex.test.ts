import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createKeyedMutex } from './keyed-mutex.ts';

it('runs tasks with the same key one at a time, in order of arrival', async () => {
  const runExclusive = createKeyedMutex();
  const log: string[] = [];
  const work = (name: string, ms: number) => async () => {
    log.push(`${name} begins`);
    await sleep(ms);
    log.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all([
    runExclusive('a', work('first', 20)),
    runExclusive('a', work('second', 1)),
    runExclusive('b', work('other', 5)),
  ]);
  expect(results).toEqual(['first', 'second', 'other']);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
  ]);
  expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('first ends'));
});

it('continues after a failed task', async () => {
  const runExclusive = createKeyedMutex();
  const failing = runExclusive('a', async () => {
    throw new Error('no');
  });
  const next = runExclusive('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await runExclusive('a', async () => 'again')).toBe('again');
});
