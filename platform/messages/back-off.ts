/** How long to wait before a message is tried again, and when to give up. */

/** Seconds after the first, second… attempt; after these, hourly. */
const PAUSES_SECONDS = [5, 30, 120, 600, 1800];
const HOUR_SECONDS = 3600;
/** So that a crowd of messages does not come back as a crowd. */
const JITTER = 0.1;
const GIVE_UP_AFTER_MS = 24 * HOUR_SECONDS * 1000;

/**
 * Milliseconds until the next attempt.
 *
 * @param attempts how many there have been, at least 1
 * @param random from 0 to 1
 */
export function backOffMs(attempts: number, random: number): number {
  const seconds = PAUSES_SECONDS[attempts - 1] ?? HOUR_SECONDS;
  return seconds * (1 + random * JITTER) * 1000;
}

/** The time before which a message must have been written to be given up. */
export function giveUpBefore(now: Date): Date {
  return new Date(now.getTime() - GIVE_UP_AFTER_MS);
}
