import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReferenceCount } from './reference-count.ts';

const IDLE_AFTER_MS = 100;
const onAcquire = vi.fn();
const onIdle = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

function createReferenceCount(idleAfterMs: number | undefined = IDLE_AFTER_MS) {
  return new ReferenceCount({ idleAfterMs, onAcquire, onIdle });
}

it('is idle after the time without a first hold', () => {
  createReferenceCount();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('is idle only when the last of several holds was released', () => {
  const references = createReferenceCount();
  const [first, second] = [references.acquire(), references.acquire()];
  expect(onAcquire).toHaveBeenCalledTimes(2);
  first();
  first();
  vi.advanceTimersByTime(10 * IDLE_AFTER_MS);
  expect(onIdle).not.toHaveBeenCalled();
  second();
  vi.advanceTimersByTime(IDLE_AFTER_MS);
  expect(onIdle).toHaveBeenCalledOnce();
});

it('does not count the time before a hold', () => {
  const references = createReferenceCount();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  const release = references.acquire();
  release();
  vi.advanceTimersByTime(IDLE_AFTER_MS - 1);
  expect(onIdle).not.toHaveBeenCalled();
});

it('is never idle without a time, or when it was stopped', () => {
  new ReferenceCount({ idleAfterMs: undefined, onAcquire, onIdle });
  createReferenceCount().stop();
  vi.advanceTimersByTime(10 * IDLE_AFTER_MS);
  expect(onIdle).not.toHaveBeenCalled();
});
