import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

/** Work that the test completes. */
function heldWork() {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { runs, ask };
}

it('runs once more for all calls during a run', async () => {
  const { runs, ask } = heldWork();
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await Promise.all(others);
  expect(runs.length).toBe(2);
});

it('continues after a failure, which rejects only the calls of that run', async () => {
  const { runs, ask } = heldWork();
  const first = ask();
  const second = ask();
  runs[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await second;
  const third = ask();
  runs[2]?.resolve();
  await third;
});
