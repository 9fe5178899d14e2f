/**
 * Token buckets: each key may act `burst` times at once and earns `perSecond` tokens every second. The time is passed
 * as an argument.
 */

/** Refill rate and capacity of buckets. */
export interface BucketRule {
  perSecond: number;
  burst: number;
}

/** A set of buckets with one rule. `nowMs` is the time of any monotonic clock, in milliseconds. */
export interface TokenBuckets {
  /** Takes one token of `key`; returns false if none is left. */
  take(key: string, nowMs: number): boolean;
  /** Returns one token, for example because the limited action did not happen. */
  refund(key: string, nowMs: number): void;
  /** Returns the milliseconds until `key` has a token; 0 if it has one now, `Infinity` for a rule that earns none. */
  waitMs(key: string, nowMs: number): number;
}

/**
 * Above this number, the least recently used bucket is evicted: it is the fullest, unless a client floods the server
 * with keys.
 */
const MAX_KEYS = 50_000;

interface Bucket {
  tokens: number;
  updatedMs: number;
}

/** Creates buckets that start full. Memory is limited by `maxKeys`. */
export function createTokenBuckets(
  { perSecond, burst }: BucketRule,
  maxKeys: number = MAX_KEYS,
): TokenBuckets {
  const buckets = new Map<string, Bucket>();

  function refill(key: string, nowMs: number): Bucket {
    const { tokens, updatedMs } = buckets.get(key) ?? { tokens: burst, updatedMs: nowMs };
    const refilled = (Math.max(0, nowMs - updatedMs) / 1000) * perSecond;
    return { tokens: Math.min(burst, tokens + refilled), updatedMs: nowMs };
  }

  // Deleting first moves the key to the end of the map's order, so that the first key is the least recently used one.
  function store(key: string, bucket: Bucket): void {
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size <= maxKeys) return;
    const oldest = buckets.keys().next();
    if (!oldest.done) buckets.delete(oldest.value);
  }

  return {
    take(key, nowMs) {
      const bucket = refill(key, nowMs);
      const allowed = bucket.tokens >= 1;
      store(key, allowed ? { ...bucket, tokens: bucket.tokens - 1 } : bucket);
      return allowed;
    },
    refund(key, nowMs) {
      const bucket = refill(key, nowMs);
      store(key, { ...bucket, tokens: Math.min(burst, bucket.tokens + 1) });
    },
    waitMs(key, nowMs) {
      const missing = 1 - refill(key, nowMs).tokens;
      return missing <= 0 ? 0 : (missing / perSecond) * 1000;
    },
  };
}
