/**
 * Least times between two messages to one recipient. Kept here and not only in users' rows, so that an address
 * without an account is answered exactly as one with.
 */

/** Above this the oldest is forgotten; users' rows still know. */
const MAX_KEYS = 50_000;

/** Remembers when each key was used last. */
interface Spacing {
  /** Uses a key; answers 0, or how many milliseconds are left until it may be used again. */
  use(key: string, spacingMs: number, nowMs: number): number;
}

/** Creates an empty memory. */
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
