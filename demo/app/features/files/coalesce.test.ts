import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

/** Coalesced work whose runs the test completes. */
function pendingWork() {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { runs, call };
}

it('runs once more for all calls during a run', async () => {
  const { runs, call } = pendingWork();
  const first = call();
  const others = [call(), call(), call()];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await first;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await Promise.all(others);
  expect(runs.length).toBe(2);
});

it('continues after a failure, which rejects only the calls of that run', async () => {
  const { runs, call } = pendingWork();
  const first = call();
  const second = call();
  runs[0]?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await second;
  const third = call();
  runs[2]?.resolve();
  await third;
});
