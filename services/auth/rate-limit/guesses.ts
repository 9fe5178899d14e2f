/** Limits wrong guesses. Successful attempts do not count. */
import type { ClientBuckets } from '@greenroom/limits';
import { tooManyRequests } from './errors.ts';

/** A limit of wrong guesses, and its name in metrics. */
interface GuessLimit {
  name: string;
  buckets: ClientBuckets;
}

/**
 * Runs a guess. If it fails with an error for which `isGuess` returns true, the client loses a token. Without tokens,
 * throws `over_request_rate_limit` and does not run. The token is taken before the guess and returned after it;
 * otherwise any number of concurrent guesses would pass.
 */
export async function limitGuesses<T>(
  { name, buckets }: GuessLimit,
  keys: readonly string[],
  now: Date,
  guess: () => Promise<T>,
  isGuess: (error: unknown) => boolean,
): Promise<T> {
  const nowMs = now.getTime();
  if (!buckets.take(keys, nowMs)) throw tooManyRequests(name, buckets.waitMs(keys, nowMs));
  let failed = false;
  try {
    return await guess();
  } catch (error) {
    failed = isGuess(error);
    throw error;
  } finally {
    if (!failed) buckets.refund(keys, nowMs);
  }
}
