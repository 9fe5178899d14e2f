import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Holds } from './holds.ts';

const IDLE_AFTER_MS = 100;
const onHeld = vi.fn();
const onIdle = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

function createHolds(idleAfterMs: number | undefined = IDLE_AFTER_MS) {
  return new Holds({ idleAfterMs, onHeld, onIdle });
}

it('is idle after the time without a first hold', () => {
  createHolds();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('is idle only when the last of several holds was released', () => {
  const holds = createHolds();
  const [first, second] = [holds.hold(), holds.hold()];
  expect(onHeld).toHaveBeenCalledTimes(2);
  first();
  first();
  vi.advanceTimersByTime(10 * IDLE_AFTER_MS);
  expect(onIdle).not.toHaveBeenCalled();
  second();
  vi.advanceTimersByTime(IDLE_AFTER_MS);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('does not count the time before a hold', () => {
  const holds = createHolds();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  const release = holds.hold();
  release();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
});

it('is never idle without a time, or when it was stopped', () => {
  new Holds({ idleAfterMs: undefined, onHeld, onIdle });
  createHolds().stop();
  vi.advanceTimersByTime(10 * IDLE_AFTER_MS);
  expect(onIdle).not.toHaveBeenCalled();
});
