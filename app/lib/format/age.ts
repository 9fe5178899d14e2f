/** Formats ages, e.g. `5 minutes ago`. */
import { cachedFormat } from './cached-format.ts';

const formatOf = cachedFormat(
  (language: string) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
);

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/**
 * Formats an age in whole minutes, hours or days; `now` below a minute, and for future times. `seconds` and
 * `now` are seconds since 1970.
 */
export function formatAge(seconds: number, now: number, language: string): string {
  const age = Math.max(0, now - seconds);
  const [unit, length] = UNITS.find(([, size]) => age >= size) ?? ['second', Number.POSITIVE_INFINITY];
  return formatOf(language).format(-Math.floor(age / length), unit);
}
