/** Summarizes latencies of operations as percentiles by service. Pure. */

/** One operation of a well-behaved client. */
export interface Sample {
  service: string;
  /** Milliseconds from the start of the operation to its end, or to the timeout. */
  ms: number;
  /** Reason of a failed operation, e.g. `GET /user: 504`. */
  error?: string | undefined;
}

/** Operations of one service in one window. */
export interface Latency {
  count: number;
  /** Milliseconds, over successful and failed operations. */
  p50Ms: number;
  p99Ms: number;
  errors: number;
  /** Distinct reasons with their counts, e.g. `GET /user: 504 ×3`, most frequent first. */
  reasons: string[];
}

/**
 * Nearest-rank percentile: the smallest value that at least `share` of all values do not exceed. Returns 0 for no
 * values.
 * @param share from 0 to 1
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Summarizes samples by service. Services without samples are absent. */
export function latencies(samples: readonly Sample[]): Record<string, Latency> {
  const groups = Map.groupBy(samples, ({ service }) => service);
  return Object.fromEntries([...groups].map(([service, group]) => [service, latencyOf(group)]));
}

function latencyOf(samples: readonly Sample[]): Latency {
  const times = samples.map(({ ms }) => ms);
  const errors = samples.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return {
    count: samples.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    errors: errors.length,
    reasons: countedReasons(errors),
  };
}

/** Returns distinct texts with their counts, most frequent first. */
function countedReasons(reasons: readonly string[]): string[] {
  const groups = [...Map.groupBy(reasons, (reason) => reason)];
  return groups
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, all]) => `${reason} ×${all.length}`);
}
