/** Statistical test whether two samples of durations come from the same distribution. */

/** The result of a comparison. */
interface Comparison {
  /** Two-sided p-value of the rank test: probability of ranks this uneven by chance. */
  p: number;
  medians: [number, number];
}

/** Compares two samples by the Mann–Whitney U test in its normal approximation (for about 20 values or more). */
export function compareTimes(one: readonly number[], other: readonly number[]): Comparison {
  const [n, m] = [one.length, other.length];
  const u = rankSum(one, other) - (n * (n + 1)) / 2;
  const deviation = Math.abs(u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return { p: 2 * upperTail(deviation), medians: [median(one), median(other)] };
}

/** The median of the values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** Sum of the ranks of `one` among all values; equal values share their ranks. */
function rankSum(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const rankOf = (value: number) => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1;
  return one.reduce((sum, value) => sum + rankOf(value), 0);
}

/** Upper tail of the normal distribution beyond `z` ≥ 0 (Abramowitz and Stegun, 26.2.17; error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const sum =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}
