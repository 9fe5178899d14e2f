/** Caches the JSON of changes, which identity queues with the same rights share. */
import type { ConvertedChange } from './convert.ts';

/** A cache of payloads by change and key. */
export interface PayloadCache {
  /** Returns the payload, created at first use. @param key everything except the change that the payload depends on */
  get(converted: ConvertedChange, key: string, create: () => string): string;
}

/** Creates a cache that keeps payloads until their changes are garbage-collected. */
export function createPayloadCache(): PayloadCache {
  const byChange = new WeakMap<ConvertedChange, Map<string, string>>();
  return {
    get(converted, key, create) {
      const known = byChange.get(converted) ?? new Map<string, string>();
      byChange.set(converted, known);
      const payload = known.get(key) ?? create();
      known.set(key, payload);
      return payload;
    },
  };
}
