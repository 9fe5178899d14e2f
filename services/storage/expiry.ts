/** Removing uploads that nobody goes on with. */
import type { Logger } from '@greenroom/log';

const PORTION = 100;
/** Between two looks. */
const MOST_MS = 600_000;

/** Uploads of one kind. */
export interface Expiring {
  /** So long one may rest, in milliseconds. */
  restMs: number;
  /** Removes some that have rested for longer, at most as many as it is told. Answers how many. */
  removeRested(most: number): Promise<number>;
}

/** Removes all that have rested for too long. Answers how many there were. */
export async function removeExpired(uploads: Expiring, signal?: AbortSignal): Promise<number> {
  let removed = 0;
  while (!signal?.aborted) {
    const count = await uploads.removeRested(PORTION);
    removed += count;
    if (count < PORTION) break;
  }
  return removed;
}

/** Does so from time to time. What it gives stops it, and resolves when it has. */
export function startExpiry(uploads: Expiring, log: Logger): () => Promise<unknown> {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = removeExpired(uploads, closing.signal).catch((error: unknown) => {
      log.warn({ err: error }, 'expired uploads could not be removed');
    });
  };
  run();
  const timer = setInterval(run, Math.min(uploads.restMs, MOST_MS)).unref();
  return () => {
    closing.abort();
    clearInterval(timer);
    return running;
  };
}
