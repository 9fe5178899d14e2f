/** Statistics of a few durations. */

/** Returns median, minimum and maximum as a text. */
export function timesText(times: readonly number[]): string {
  return `${Math.round(medianOf(times))} ms (${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))} ms)`;
}

/** Returns the median in the unit of the durations; 0 without any. */
export function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}
