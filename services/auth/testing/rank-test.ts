/** Whether two sets of measured times come from the same distribution. */

/** What two sets of times say. */
interface Comparison {
  /** Two-sided p-value of the rank test: how likely ranks as uneven as these are by chance. */
  p: number;
  medians: [number, number];
}

/** Compares two samples by the test of Mann and Whitney, in its normal approximation (from about 20 values on). */
export function compareTimes(one: readonly number[], other: readonly number[]): Comparison {
  const [n, m] = [one.length, other.length];
  const u = rankSum(one, other) - (n * (n + 1)) / 2;
  const deviation = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { p: 2 * upperTail(deviation), medians: [median(one), median(other)] };
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** Of `one` among all values; equal ones share their ranks. */
function rankSum(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const rankOf = (value: number) => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1;
  return one.reduce((sum, value) => sum + rankOf(value), 0);
}

/** Of the normal distribution beyond `z` ≥ 0 (Abramowitz and Stegun, 26.2.17; off by less than 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
