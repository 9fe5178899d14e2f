/** Runs policy checks in a fair queue: the checks of a client with many of them delay only that client. */
import { type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from '../errors.ts';

/**
 * Runs a check when the client's place in the queue is reached. Rejects as `work` does, and with
 * `PolicyCheckLimitReached` if too many checks of the client wait.
 * @param keys limit keys of the client; empty: only the total is limited
 */
export async function runCheck<T>(
  checks: FairQueue,
  keys: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await checks.run(keys, work);
  } catch (error) {
    throw error instanceof QueueFullError ? failure('PolicyCheckLimitReached') : error;
  }
}
