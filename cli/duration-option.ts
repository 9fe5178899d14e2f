/** Options of commands whose values are durations. */
import { durationSetting } from '@greenroom/config';

/** Timers of Node.js, and timeouts of PostgreSQL, support no more. */
const MAX_MS = 2 ** 31 - 1;

/**
 * Parses a positive duration in Go's notation, e.g. `15s` or `1m30s`; returns whole milliseconds.
 * @param name e.g. `--query-timeout`, for the message
 * @throws Error for any other value, and for more than 24 days
 */
export function durationOption(name: string, text: string): number {
  const { schema, allowed } = durationSetting(name, { default: undefined, description: '' });
  const { data: ms } = schema.safeParse(text);
  if (ms !== undefined && ms <= MAX_MS) return Math.ceil(ms);
  throw new Error(`${name}=${JSON.stringify(text)} is not allowed. Allowed: ${allowed}.`);
}
