/** Formats durations. */

/** The units of durations. */
export type DurationUnit = 'second' | 'minute' | 'hour' | 'day' | 'week';

/**
 * Formats a duration in one unit.
 * @example formatDuration(30, 'day', 'de') // '30 Tage'
 */
export function formatDuration(count: number, unit: DurationUnit, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
