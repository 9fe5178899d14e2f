/**
 * Holds refusals back for a moment. A client that repeats requests as soon as they are refused would otherwise keep the
 * event loop busy with refusals: with 200 sockets, more than a thousand in a second.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** No longer than the shortest `Retry-After`, so that a client which respects it loses nothing. */
const DELAY_MS = 1000;
/** Each holds a socket and a request. Further refusals are answered at once. */
const MAX_HELD = 2000;

/** Resolves when a refusal may be answered. */
type HoldRefusal = () => Promise<void>;

/** Creates a holder with room for a bounded number of refusals. */
export function createRefusalHolder(delayMs = DELAY_MS, maxHeld = MAX_HELD): HoldRefusal {
  let held = 0;
  return async () => {
    if (held >= maxHeld) return;
    held += 1;
    try {
      await sleep(delayMs);
    } finally {
      held -= 1;
    }
  };
}
