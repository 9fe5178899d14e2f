/** Work that runs into somebody who does the same at the same time. */

import { failure } from '../../errors.ts';
import { brokenUniqueConstraint } from '../../lib/database-error.ts';
import { retryWhileLocked } from '../../one-time/proof/revocation-lock.ts';

/**
 * Does it once more where the first time broke a unique constraint: then what the other one has made is found. Throws
 * `email_exists` where it is not, because it belongs to another audience.
 */
export async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileLocked(work);
  } catch (error) {
    if (brokenUniqueConstraint(error) === undefined) throw error;
    return retryWhileLocked(work).catch((again: unknown) => {
      throw brokenUniqueConstraint(again) === 'users_email_partial_key' ? failure('email_exists') : again;
    });
  }
}
