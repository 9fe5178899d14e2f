/** How long to wait before the next attempt. */
import { CONSTANTS } from '../constants.ts';

/** Milliseconds after so many failures in a row; 0 after none. The steps are those of the realtime client. */
export function waitAfterFailures(failures: number): number {
  const steps = CONSTANTS.realtime.reconnectAfter;
  if (failures <= 0) return 0;
  return steps[Math.min(failures, steps.length) - 1] ?? 0;
}
