import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDebounce } from './debounce.ts';

const INTERVAL_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A debounce whose work ends when it is told to. */
function start() {
  const ends: (() => void)[] = [];
  const debounce = createDebounce(() => new Promise((resolve) => ends.push(resolve)), INTERVAL_MS);
  const end = async () => {
    ends.at(-1)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { debounce, end, count: () => ends.length };
}

describe('a debounce', () => {
  it('runs the first one at once', () => {
    const { debounce, count } = start();
    debounce.request();
    expect(count()).toBe(1);
  });

  it('runs many that come in a row once more, when the interval is over', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    await end();
    for (let asked = 0; asked < 10; asked += 1) debounce.request();
    expect(count()).toBe(1);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(count()).toBe(2);
    await end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(count()).toBe(2);
  });

  it('runs again after one that takes longer than the interval, never beside it', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    debounce.request();
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(count()).toBe(1);
    await end();
    expect(count()).toBe(2);
  });

  it('runs at once again after a quiet while', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    await end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    debounce.request();
    expect(count()).toBe(2);
  });

  it('begins nothing once it is closed, and waits for what runs', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    debounce.request();
    let isClosed = false;
    const closed = debounce.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(isClosed).toBe(false);
    await end();
    await closed;
    debounce.request();
    expect(count()).toBe(1);
  });
});
