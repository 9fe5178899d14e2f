/** The loop with a clock that the test advances. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLoop } from './loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop whose work ends on demand of the test. */
function fixture() {
  const errors: unknown[] = [];
  const calls: PromiseWithResolvers<number | undefined>[] = [];
  const work = () => {
    const call = Promise.withResolvers<number | undefined>();
    calls.push(call);
    return call.promise;
  };
  return { calls, errors, loop: createLoop({ work, onError: (error) => errors.push(error) }) };
}

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it.each([
  [1000, 999, 1000],
  [60_000, 14_999, 15_000],
  [undefined, 14_999, 15_000],
  [0, 249, 250],
  [-5, 249, 250],
])(
  'with a requested delay of %s ms runs after more than %i and at most %i ms',
  async (delayMs, tooEarly, due) => {
    const { calls, loop } = fixture();
    loop.wake();
    calls[0]?.resolve(delayMs);
    await passes(tooEarly);
    expect(calls).toHaveLength(1);
    await passes(due - tooEarly);
    expect(calls).toHaveLength(2);
  },
);

it('runs once more for all requests during a run', async () => {
  const { calls, loop } = fixture();
  loop.wake();
  loop.wake();
  const running = loop.run();
  expect(calls).toHaveLength(1);
  calls[0]?.resolve(60_000);
  await passes(0);
  expect(calls).toHaveLength(2);
  calls[1]?.resolve(60_000);
  await running;
  expect(calls).toHaveLength(2);
});

it('runs again for a request at the moment in which a run ends', async () => {
  const { calls, loop } = fixture();
  loop.wake();
  calls[0]?.resolve(60_000);
  for (let tick = 0; tick < 20; tick++) {
    await Promise.resolve();
    const before = calls.length;
    loop.wake();
    await passes(0);
    expect(calls.length).toBeGreaterThan(before);
    calls.at(-1)?.resolve(60_000);
  }
});

it('continues after an error', async () => {
  const { calls, errors, loop } = fixture();
  loop.wake();
  calls[0]?.reject(new Error('no database'));
  await passes(15_000);
  expect(errors).toEqual([new Error('no database')]);
  expect(calls).toHaveLength(2);
});

it('waits for its current run on close, and starts no further run', async () => {
  const { calls, loop } = fixture();
  loop.wake();
  loop.wake();
  let isClosed = false;
  const closing = loop.close().then(() => {
    isClosed = true;
  });
  await passes(0);
  expect(isClosed).toBe(false);
  calls[0]?.resolve(0);
  await closing;
  loop.wake();
  await passes(60_000);
  expect(calls).toHaveLength(1);
});
