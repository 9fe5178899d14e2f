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

/** Handle of the periodic removal. */
interface Expiry {
  /** Resolves when the expired uploads of all kinds have been removed once. Never rejects. */
  waitForFirstRun(): Promise<unknown>;
  /** Stops the removal. Resolves when the current run has ended. */
  stop(): Promise<unknown>;
}

/**
 * Removes expired uploads of all kinds once `after` has settled and then periodically, one kind after the other, so that
 * this and the job before it never need more than one connection.
 */
export function startExpiry(
  kinds: readonly Expiring[],
  { after, log }: { after: Promise<unknown>; log: Logger },
): Expiry {
  const closing = new AbortController();
  let running = after;
  const run = (uploads: Expiring) => {
    running = running
      .then(() => removeAllExpired(uploads, closing.signal))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'expired uploads could not be removed');
      });
  };
  const timers = kinds.map((uploads) => {
    run(uploads);
    return setInterval(run, Math.min(uploads.expiryMs, MAX_INTERVAL_MS), uploads).unref();
  });
  const firstRun = running;
  return {
    waitForFirstRun: () => firstRun,
    stop() {
      closing.abort();
      for (const timer of timers) clearInterval(timer);
      return running;
    },
  };
}
