import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runAtOnce, runInSlices, type Sliced } from './slices.ts';

const GOING_ON = { aborted: false, reason: undefined };

/** Takes a little longer than a slice for each step. */
function* busy(steps: number): Sliced<number> {
  for (let step = 0; step < steps; step += 1) {
    const until = performance.now() + 6;
    while (performance.now() < until);
    yield;
  }
  return steps;
}

describe('runInSlices', () => {
  it('yields to other work between slices and returns the result', async () => {
    let turns = 0;
    let isDone = false;
    const running = runInSlices(busy(5), GOING_ON).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      turns += 1;
      await setImmediate();
    }
    expect(await running).toBe(5);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it('rejects with the reason of a signal that aborts between slices', async () => {
    const signal = { aborted: false, reason: new Error('gone') };
    const running = runInSlices(busy(1000), signal);
    signal.aborted = true;
    await expect(running).rejects.toThrow('gone');
  });

  it('rejects with the error of the work', async () => {
    function* failing(): Sliced<never> {
      yield;
      throw new Error('broken');
    }
    await expect(runInSlices(failing(), GOING_ON)).rejects.toThrow('broken');
    expect(() => runAtOnce(failing())).toThrow('broken');
  });
});
