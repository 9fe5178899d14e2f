/**
 * Delays responses of rate limits. Without a delay, a client that retries immediately could keep the event loop busy:
 * with 200 sockets, it gets more than a thousand rejections per second.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Equal to the minimum `Retry-After`, so that a client that respects it loses no time. */
const DELAY_MS = 1000;
/** Each delay holds a socket and a request. Further rejections are not delayed. */
const MAX_PENDING = 2000;

/** Resolves when the rejection may be sent. */
type DelayRejection = () => Promise<void>;

/** Creates the delay for a bounded number of concurrent rejections. */
export function createRejectionDelay(delayMs = DELAY_MS, maxPending = MAX_PENDING): DelayRejection {
  let pending = 0;
  return async () => {
    if (pending >= maxPending) return;
    pending += 1;
    try {
      await sleep(delayMs);
    } finally {
      pending -= 1;
    }
  };
}
