/** Delays between attempts to send a message, and the time after which it has failed. */

/** Seconds after the first, second… attempt; hourly after that. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1800];
const HOUR_SECONDS = 3600;
/** Spreads the retries of messages that failed at the same time. */
const JITTER = 0.1;
const GIVE_UP_AFTER_MS = 24 * HOUR_SECONDS * 1000;

/**
 * Returns the milliseconds until the next attempt.
 *
 * @param attempts number of attempts so far, at least 1
 * @param random from 0 to 1
 */
export function backoffMs(attempts: number, random: number): number {
  const seconds = PAUSES_SECONDS[attempts - 1] ?? HOUR_SECONDS;
  return seconds * (1 + random * JITTER) * 1000;
}

/** Messages created before the returned time are not retried any more. */
export function giveUpBefore(now: Date): Date {
  return new Date(now.getTime() - GIVE_UP_AFTER_MS);
}
