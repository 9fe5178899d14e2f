/** Token buckets for clients that are counted under several keys at once, such as the networks of an IPv6 address. */
import { type BucketRule, createTokenBuckets, type TokenBuckets } from './token-bucket.ts';

/**
 * Share of the rule that a network gets, by its prefix length. A /48 counts as one client; the narrower networks get
 * less, so that one household cannot use up the allowance of all others in its /48.
 */
const NARROW_SHARES = [
  { suffix: '::/64', share: 0.5 },
  { suffix: '::/56', share: 0.75 },
] as const;

/** Buckets of clients. `keys` come from `clientKeys` or `networksOf`; a client without keys is not limited. */
export interface ClientBuckets {
  /** Takes one token under each key. If one of them has no token left, takes none and returns false. */
  take(keys: readonly string[], nowMs: number): boolean;
  /** Returns one token under each key, for example because the limited action did not happen. */
  refund(keys: readonly string[], nowMs: number): void;
  /** Returns the milliseconds until `take` can succeed; 0 if it can now. */
  waitMs(keys: readonly string[], nowMs: number): number;
}

/**
 * Creates buckets that start full. An IPv6 /48 gets the whole rule, a /56 three quarters of it, a /64 half.
 * @param maxKeys maximum number of keys for each kind of network; the least recently used one is evicted
 */
export function createClientBuckets(rule: BucketRule, maxKeys?: number): ClientBuckets {
  const wide = createTokenBuckets(rule, maxKeys);
  const narrow = NARROW_SHARES.map(({ suffix, share }) => ({
    suffix,
    buckets: createTokenBuckets(shareOf(rule, share), maxKeys),
  }));

  function bucketsOf(key: string): TokenBuckets {
    return narrow.find(({ suffix }) => key.endsWith(suffix))?.buckets ?? wide;
  }

  return {
    take(keys, nowMs) {
      const charged: string[] = [];
      for (const key of keys) {
        if (!bucketsOf(key).take(key, nowMs)) {
          for (const earlier of charged) bucketsOf(earlier).refund(earlier, nowMs);
          return false;
        }
        charged.push(key);
      }
      return true;
    },
    refund(keys, nowMs) {
      for (const key of keys) bucketsOf(key).refund(key, nowMs);
    },
    waitMs(keys, nowMs) {
      return keys.reduce((longest, key) => Math.max(longest, bucketsOf(key).waitMs(key, nowMs)), 0);
    },
  };
}

/** A burst is at least one whole token; otherwise the network could never act. */
function shareOf({ perSecond, burst }: BucketRule, share: number): BucketRule {
  return { perSecond: perSecond * share, burst: burst < 1 ? burst : Math.max(1, Math.ceil(burst * share)) };
}
