/** How long ago something was, for people. */

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `5 minutes ago`, in whole minutes, hours or days; `now` below a minute, and for what is still to come. */
export function formatAge(seconds: number, now: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const age = Math.max(0, now - seconds);
  const [unit, length] = UNITS.find(([, size]) => age >= size) ?? ['second', Number.POSITIVE_INFINITY];
  return format.format(-Math.floor(age / length), unit);
}
