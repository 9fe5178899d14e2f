/** Headers that tell of the rate of messages. */
import type { Context } from '../context.ts';

/** Of every answer about broadcasts. */
export function rateHeaders({ rates, config }: Context): Record<string, string> {
  const rolling = rates.events.average;
  return {
    'x-rate-rolling': String(Math.round(rolling * 100) / 100),
    'x-rate-limit': String(config.maxEventsPerSecond),
    'x-rate-limit-remaining': String(Math.max(0, Math.floor(config.maxEventsPerSecond - rolling))),
  };
}
