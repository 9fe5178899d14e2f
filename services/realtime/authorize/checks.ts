/** Turns of clients at the database: so many policy checks of one client wait only for each other. */
import { type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from '../errors.ts';

/**
 * Runs a check when it is the client's turn. Rejects as `work` does, and with `PolicyCheckLimitReached` where too many
 * checks of the client wait.
 * @param keys of the client; none: only the total is limited
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
