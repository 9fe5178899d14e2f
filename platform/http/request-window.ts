/** Counts the requests of a short time, with the distribution of their latencies. */

const FIRST_BOUND_MS = 0.1;
/** Adjacent bounds differ by a factor of 2^(1/4), about 19 %. */
const STEPS_PER_DOUBLING = 4;
/** Longer requests are streams, whose duration is no latency. */
const MAX_LATENCY_MS = 60_000;
const BUCKETS = Math.ceil(Math.log2(MAX_LATENCY_MS / FIRST_BOUND_MS) * STEPS_PER_DOUBLING) + 1;
const SERVER_ERROR = 500;
const CLIENT_ERROR = 400;

/** Number of latencies in each bucket that has any. */
export type Latencies = Readonly<Record<number, number>>;

/** The requests of one service. */
interface ServiceRequests {
  requests: number;
  /** Responses with status 4xx. */
  clientErrors: number;
  /** Responses with status 5xx. */
  serverErrors: number;
}

/** The requests of a window. */
export interface WindowRequests {
  services: Readonly<Record<string, ServiceRequests>>;
  latencies: Latencies;
}

/** Counts requests. */
export interface RequestWindow {
  record(service: string, status: number, ms: number): void;
  /** Returns the requests since the last call. */
  take(): WindowRequests;
}

/** Creates an empty window. */
export function createRequestWindow(): RequestWindow {
  const latencies = new Uint32Array(BUCKETS);
  let services = new Map<string, ServiceRequests>();
  return {
    record(service, status, ms) {
      let counts = services.get(service);
      if (counts === undefined) {
        counts = { requests: 0, clientErrors: 0, serverErrors: 0 };
        services.set(service, counts);
      }
      counts.requests += 1;
      if (status >= SERVER_ERROR) counts.serverErrors += 1;
      else if (status >= CLIENT_ERROR) counts.clientErrors += 1;
      if (ms > MAX_LATENCY_MS) return;
      const bucket = bucketOf(ms);
      latencies[bucket] = (latencies[bucket] ?? 0) + 1;
    },
    take() {
      const taken = { services: Object.fromEntries(services), latencies: sparse(latencies) };
      services = new Map();
      latencies.fill(0);
      return taken;
    },
  };
}

function bucketOf(ms: number): number {
  if (ms <= FIRST_BOUND_MS) return 0;
  return Math.min(BUCKETS - 1, Math.ceil(Math.log2(ms / FIRST_BOUND_MS) * STEPS_PER_DOUBLING));
}

function sparse(counts: Uint32Array): Latencies {
  return Object.fromEntries([...counts.entries()].filter(([, count]) => count > 0));
}

/** Returns the latencies of several windows. */
export function mergeLatencies(all: readonly Latencies[]): Latencies {
  const merged: Record<number, number> = {};
  for (const latencies of all)
    for (const [bucket, count] of Object.entries(latencies))
      merged[Number(bucket)] = (merged[Number(bucket)] ?? 0) + count;
  return merged;
}

/** Returns the latency in ms that a share of requests (0 to 1) does not exceed, rounded up to a bound; null without any. */
export function latencyAt(share: number, latencies: Latencies): number | null {
  const buckets = Object.entries(latencies).map(([bucket, count]) => [Number(bucket), count] as const);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of buckets.sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= share * total) return boundOf(bucket);
  }
  return null;
}

function boundOf(bucket: number): number {
  const bound = FIRST_BOUND_MS * 2 ** (bucket / STEPS_PER_DOUBLING);
  return Number(bound.toPrecision(3));
}
