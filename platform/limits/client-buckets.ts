/** Token buckets for clients that are counted under several keys at once, such as the networks of an IPv6 address. */
import { type BucketRule, createTokenBuckets, type TokenBuckets } from './token-bucket.ts';

/**
 * Share of the rule that a network gets, by its prefix length. A /48 counts as one client; the narrower networks get less,
 * so that one household cannot use up the allowance of all the others in its /48.
 */
const NARROW_SHARES = [
  { suffix: '::/64', share: 0.5 },
  { suffix: '::/56', share: 0.75 },
] as const;

/** Buckets of clients. `keys` come from `clientKeys` or `networksOf`; without keys a client is not limited. */
export interface ClientBuckets {
  /** Takes one token under each key; takes none and returns false where one of them has none left. */
  take(keys: readonly string[], nowMs: number): boolean;
  /** Returns one token under each key, for example because the limited action did not happen. */
  giveBack(keys: readonly string[], nowMs: number): void;
  /** Milliseconds until `take` can succeed; 0: now. */
  waitMs(keys: readonly string[], nowMs: number): number;
}

/**
 * Creates buckets that start full. An IPv6 /48 gets the whole rule, a /56 three quarters of it, a /64 half.
 * @param maxKeys most keys that each kind of network remembers; the stalest is dropped
 */
export function createClientBuckets(rule: BucketRule, maxKeys?: number): ClientBuckets {
  const whole = createTokenBuckets(rule, maxKeys);
  const narrow = NARROW_SHARES.map(({ suffix, share }) => ({
    suffix,
    buckets: createTokenBuckets(shareOf(rule, share), maxKeys),
  }));

  function bucketsOf(key: string): TokenBuckets {
    return narrow.find(({ suffix }) => key.endsWith(suffix))?.buckets ?? whole;
  }

  return {
    take(keys, nowMs) {
      const taken: string[] = [];
      for (const key of keys) {
        if (!bucketsOf(key).take(key, nowMs)) {
          for (const earlier of taken) bucketsOf(earlier).giveBack(earlier, nowMs);
          return false;
        }
        taken.push(key);
      }
      return true;
    },
    giveBack(keys, nowMs) {
      for (const key of keys) bucketsOf(key).giveBack(key, nowMs);
    },
    waitMs(keys, nowMs) {
      return keys.reduce((longest, key) => Math.max(longest, bucketsOf(key).waitMs(key, nowMs)), 0);
    },
  };
}

/** A burst stays at least one whole token, or the network could never act. */
function shareOf({ perSecond, burst }: BucketRule, share: number): BucketRule {
  return { perSecond: perSecond * share, burst: burst < 1 ? burst : Math.max(1, Math.ceil(burst * share)) };
}
