import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as CONSTANTS from '../../constants.ts';
import { forEachWhenIdle, onIdle } from './on-idle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('onIdle without requestIdleCallback', () => {
  it('calls back after one millisecond with a slice of 50 ms', async () => {
    const left: number[] = [];
    onIdle((deadline) => {
      left.push(deadline.timeRemaining());
      vi.setSystemTime(Date.now() + 30);
      left.push(deadline.timeRemaining());
      vi.setSystemTime(Date.now() + 30);
      left.push(deadline.timeRemaining());
    });
    expect(left).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(left).toEqual([CONSTANTS.icon.idleSlice, CONSTANTS.icon.idleSlice - 30, 0]);
  });

  it('can be cancelled', async () => {
    const callback = vi.fn();
    onIdle(callback)();
    await vi.advanceTimersByTimeAsync(100);
    expect(callback).not.toHaveBeenCalled();
  });
});

describe('onIdle with requestIdleCallback', () => {
  it('delegates to the browser, which calls back after 2 s at the latest', () => {
    const request = vi.fn(() => 7);
    const cancel = vi.fn();
    vi.stubGlobal('requestIdleCallback', request);
    vi.stubGlobal('cancelIdleCallback', cancel);
    const callback = () => {};
    onIdle(callback)();
    expect(request).toHaveBeenCalledWith(callback, { timeout: 2000 });
    expect(cancel).toHaveBeenCalledWith(7);
  });
});

describe('forEachWhenIdle', () => {
  it('processes items until each idle slice ends', async () => {
    const done: [item: number, at: number][] = [];
    const start = Date.now();
    forEachWhenIdle([1, 2, 3, 4, 5], (item) => {
      done.push([item, Date.now() - start]);
      vi.setSystemTime(Date.now() + 20);
    });
    await vi.advanceTimersByTimeAsync(1);
    expect(done.map(([item]) => item)).toEqual([1, 2, 3]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done.map(([item]) => item)).toEqual([1, 2, 3, 4, 5]);
  });

  it('skips the remaining items when cancelled', async () => {
    const done: number[] = [];
    const cancel = forEachWhenIdle([1, 2], (item) => {
      done.push(item);
      vi.setSystemTime(Date.now() + 60);
    });
    await vi.advanceTimersByTimeAsync(1);
    cancel();
    await vi.advanceTimersByTimeAsync(100);
    expect(done).toEqual([1]);
  });

  it('schedules no work for an empty list', async () => {
    const work = vi.fn();
    forEachWhenIdle([], work);
    await vi.advanceTimersByTimeAsync(100);
    expect(work).not.toHaveBeenCalled();
  });
});
