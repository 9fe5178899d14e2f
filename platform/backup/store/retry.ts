/** Repeats requests after transient errors, with growing pauses. */
import { setTimeout as pause } from 'node:timers/promises';
import { isArchiveError } from '../errors.ts';

/** Pauses between the five tries of a request: 25 seconds in all. */
export const RETRY_PAUSES_MS: readonly number[] = [300, 1200, 5000, 18_000];

/** Runs a request, and repeats it while it rejects with kind `unavailable`. */
export type Retry = <Result>(request: () => Promise<Result>) => Promise<Result>;

/**
 * Returns a function that repeats requests.
 * @param signal ends the pauses; the request then rejects with its last error
 */
export function createRetry(pausesMs: readonly number[], signal: AbortSignal): Retry {
  return async (request) => {
    for (const ms of pausesMs) {
      try {
        return await request();
      } catch (error) {
        if (!isArchiveError(error, 'unavailable') || signal.aborted) throw error;
        await pause(ms, undefined, { signal }).catch(() => {
          throw error;
        });
      }
    }
    return request();
  };
}
