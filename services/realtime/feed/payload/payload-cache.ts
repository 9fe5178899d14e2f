/** The JSON of changes, shared by lanes with the same rights. */
import type { ConvertedChange } from './convert.ts';

/** Payloads by change and key. */
export interface PayloadCache {
  /** @param key of everything that the payload depends on besides the change */
  get(converted: ConvertedChange, key: string, make: () => string): string;
}

/** Creates a cache that keeps payloads as long as their changes live. */
export function createPayloadCache(): PayloadCache {
  const byChange = new WeakMap<ConvertedChange, Map<string, string>>();
  return {
    get(converted, key, make) {
      const known = byChange.get(converted) ?? new Map<string, string>();
      byChange.set(converted, known);
      const payload = known.get(key) ?? make();
      known.set(key, payload);
      return payload;
    },
  };
}
