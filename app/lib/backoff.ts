/** Delays between reconnection attempts. */
import * as CONSTANTS from '../constants.ts';

/**
 * Returns the delay in milliseconds after `failures` consecutive failures; 0 after none. The steps are
 * those of the official realtime client.
 */
export function backoffDelay(failures: number): number {
  const steps = CONSTANTS.realtime.reconnectAfter;
  if (failures <= 0) return 0;
  return steps[Math.min(failures, steps.length) - 1] ?? 0;
}
