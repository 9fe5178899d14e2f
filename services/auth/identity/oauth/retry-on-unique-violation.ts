import { failure } from '../../errors.ts';
import { violatedUniqueConstraint } from '../../lib/database-error.ts';
import { retryWhileLocked } from '../../one-time/proof/revocation-lock.ts';

/**
 * Runs a transaction, and once more after a unique violation: the second run finds the row that a concurrent
 * request inserted. Throws `email_exists` if it does not find it, because it belongs to another audience.
 */
export async function retryOnUniqueViolation<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileLocked(run);
  } catch (error) {
    if (violatedUniqueConstraint(error) === undefined) throw error;
    return retryWhileLocked(run).catch((retryError: unknown) => {
      throw violatedUniqueConstraint(retryError) === 'users_email_partial_key'
        ? failure('email_exists')
        : retryError;
    });
  }
}
