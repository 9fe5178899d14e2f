import { expect, it } from 'vitest';
import { FIRST_RETRY, type RetryEvent, reduceRetry } from './use-retry.ts';

const second: RetryEvent = { type: 'second' };
const failed = (retryAfter = 0): RetryEvent => ({ type: 'failed', retryAfter });
const after = (...events: RetryEvent[]) => events.reduce(reduceRetry, FIRST_RETRY);

it('counts down to an attempt and stops at zero', () => {
  expect(FIRST_RETRY.secondsLeft).toBe(5);
  expect(after(second, second).secondsLeft).toBe(3);
  expect(after(...Array<RetryEvent>(7).fill(second)).secondsLeft).toBe(0);
});

it('waits longer after each failure, up to a minute', () => {
  const delays = [1, 2, 3, 4, 5, 6].map(
    (count) => after(...Array<RetryEvent>(count).fill(failed())).secondsLeft,
  );
  expect(delays).toEqual([10, 20, 40, 60, 60, 60]);
});

it('waits at least as long as the server requires', () => {
  expect(after(failed(30)).secondsLeft).toBe(30);
  expect(after(failed(1)).secondsLeft).toBe(10);
});

it('stays stopped', () => {
  expect(after({ type: 'stop' }, second, failed()).isStopped).toBe(true);
});
