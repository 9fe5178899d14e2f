/** Response headers with the current rate of messages. */
import type { Context } from '../context.ts';

/** Returns the rate headers of responses to broadcasts. Rates are messages per second. */
export function rateHeaders({ rates, config }: Context): Record<string, string> {
  const rolling = rates.events.average;
  return {
    'x-rate-rolling': String(Math.round(rolling * 100) / 100),
    'x-rate-limit': String(config.maxEventsPerSecond),
    'x-rate-limit-remaining': String(Math.max(0, Math.floor(config.maxEventsPerSecond - rolling))),
  };
}
