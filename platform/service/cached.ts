/** Values that are read at most once per interval, however often metrics are scraped. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A read that takes longer counts as failed, so that a scrape never waits for a database that does not respond. */
const TIMEOUT_MS = 2000;

/**
 * Returns a function that reads a value, or returns the last one if it is younger than `ms`. Concurrent callers share a
 * read. The value of a failed read is undefined. Never rejects.
 */
export function cached<T>(
  ms: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T | undefined> {
  let value: Promise<T | undefined> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (value === undefined || now() - readAt >= ms) {
      readAt = now();
      value = withTimeout(read());
    }
    return value;
  };
}

async function withTimeout<T>(reading: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  const settled = reading.catch(() => undefined);
  const value = await Promise.race([settled, timeout]);
  timer.abort();
  return value;
}
