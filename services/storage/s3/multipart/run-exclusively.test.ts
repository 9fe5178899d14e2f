import { expect, it } from 'vitest';
import { runExclusively } from './run-exclusively.ts';

it('runs work of one name in order without overlap, also after a failure', async () => {
  const instance = {};
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await new Promise((done) => setImmediate(done));
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const all = [
    runExclusively(instance, 'a', work('1', true)),
    runExclusively(instance, 'a', work('2')),
    runExclusively(instance, 'b', work('other')),
    runExclusively(instance, 'a', work('3')),
  ];
  const results = await Promise.allSettled(all);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  expect(log.filter((line) => !line.startsWith('other'))).toEqual(
    ['1', '2', '3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(log.indexOf('other begins')).toBeLessThan(log.indexOf('1 ends'));
});

it('does not wait for work of another instance with the same name', async () => {
  const inner = {};
  const done = runExclusively({}, 'a', () => runExclusively(inner, 'a', async () => 'inner'));
  expect(await done).toBe('inner');
});
