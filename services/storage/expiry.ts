/** Periodically removes uploads that clients have abandoned. */
import type { Logger } from '@greenroom/log';

const BATCH_SIZE = 100;
/** Longest interval between two runs. */
const MAX_INTERVAL_MS = 600_000;

/** Uploads of one kind that expire. */
export interface Expiring {
  /** Milliseconds without a request after which an upload expires. */
  expiryMs: number;
  /** Removes at most `limit` expired uploads. Returns the number of removed uploads. */
  removeExpired(limit: number): Promise<number>;
}

/** Removes all expired uploads, in batches, until `signal` aborts. Returns the number of removed uploads. */
export async function removeAllExpired(uploads: Expiring, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const count = await uploads.removeExpired(BATCH_SIZE);
    removed += count;
    if (count < BATCH_SIZE) break;
  }
  return removed;
}

/**
 * Removes expired uploads now and then periodically. Returns a function that stops this, and that resolves when the
 * current run has ended.
 */
export function startExpiry(uploads: Expiring, log: Logger): () => Promise<unknown> {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = removeAllExpired(uploads, closing.signal).catch((error: unknown) => {
      log.warn({ err: error }, 'expired uploads could not be removed');
    });
  };
  run();
  const timer = setInterval(run, Math.min(uploads.expiryMs, MAX_INTERVAL_MS)).unref();
  return () => {
    closing.abort();
    clearInterval(timer);
    return running;
  };
}
