/**
 * Enforces minimum times between messages to a recipient. The times are also kept in memory, not only in users' rows,
 * so that an address without an account gets the same response as one with an account.
 */

/** Above this number the oldest key is evicted. Users' rows still have the time. */
const MAX_KEYS = 50_000;

/** Stores the time of the last use of each key. */
interface Spacing {
  /** Uses a key. Returns 0, or the number of milliseconds until it may be used again. */
  use(key: string, spacingMs: number, nowMs: number): number;
}

/** Creates an empty store. */
export function createSpacing(maxKeys: number = MAX_KEYS): Spacing {
  const lastUse = new Map<string, number>();
  return {
    use(key, spacingMs, nowMs) {
      const left = (lastUse.get(key) ?? -Infinity) + spacingMs - nowMs;
      if (left > 0) return left;
      lastUse.delete(key);
      lastUse.set(key, nowMs);
      const oldest = lastUse.size > maxKeys ? lastUse.keys().next() : undefined;
      if (oldest?.done === false) lastUse.delete(oldest.value);
      return 0;
    },
  };
}
