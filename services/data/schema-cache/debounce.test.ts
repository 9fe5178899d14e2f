import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDebounce } from './debounce.ts';

const INTERVAL_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Creates a debounce whose work ends on command. */
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
  it('runs immediately for the first request', () => {
    const { debounce, count } = start();
    debounce.request();
    expect(count()).toBe(1);
  });

  it('runs once more after the interval for a burst of requests', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    await end();
    for (let requests = 0; requests < 10; requests += 1) debounce.request();
    expect(count()).toBe(1);
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(count()).toBe(2);
    await end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    expect(count()).toBe(2);
  });

  it('runs again after work that exceeds the interval, never concurrently', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    debounce.request();
    await vi.advanceTimersByTimeAsync(10 * INTERVAL_MS);
    expect(count()).toBe(1);
    await end();
    expect(count()).toBe(2);
  });

  it('runs immediately again after an idle interval', async () => {
    const { debounce, end, count } = start();
    debounce.request();
    await end();
    await vi.advanceTimersByTimeAsync(INTERVAL_MS);
    debounce.request();
    expect(count()).toBe(2);
  });

  it('starts no work after it is closed and waits for running work', async () => {
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
