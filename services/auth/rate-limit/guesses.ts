/** Limits on wrong guesses: attempts that succeed are free. */
import type { ClientBuckets } from '@greenroom/limits';
import { tooManyRequests } from './refusals.ts';

/**
 * Runs a guess. While `isGuess` says of its error that it was a wrong one, the client's tokens shrink; without a token
 * it throws `over_request_rate_limit` and does not run. The token is taken before and returned after: otherwise any
 * number of parallel guesses would pass a full bucket.
 */
export async function limitGuesses<T>(
  buckets: ClientBuckets,
  keys: readonly string[],
  now: Date,
  guess: () => Promise<T>,
  isGuess: (error: unknown) => boolean,
): Promise<T> {
  const nowMs = now.getTime();
  if (!buckets.take(keys, nowMs)) throw tooManyRequests(buckets.waitMs(keys, nowMs));
  let failed = false;
  try {
    return await guess();
  } catch (error) {
    failed = isGuess(error);
    throw error;
  } finally {
    if (!failed) buckets.giveBack(keys, nowMs);
  }
}
