/** Prefetched payloads for links that may be followed soon. Each is used at most once, and expires. */

/** Lifetime of a prefetched payload, in milliseconds. */
export const PREFETCHED_FOR_MS = 10_000;
const MAX_PREFETCHED = 8;

/** Store of prefetched payloads. Pages are paths with query, including the site's base path. */
type PayloadStore<P> = {
  /** Prefetches a payload, unless a fresh one is stored. Failures are silent: following the link retries. */
  prefetch(page: string): void;
  /** Stores a payload from another source as if it had been prefetched. */
  put(page: string, payload: P): void;
  /** Returns and removes the prefetched payload, or fetches a new one. Rejects like the fetch. */
  consume(page: string): Promise<P>;
  /** Removes all payloads, because they may be stale. */
  clear(): void;
};

interface Entry<P> {
  payload: Promise<P>;
  fetchedAt: number;
}

/**
 * Creates a store on top of a fetch function. `now` returns milliseconds; prefetched payloads that are not
 * usable are fetched again.
 */
export function createPayloadStore<P>(
  fetchPayload: (page: string, options: { isPrefetch: boolean }) => Promise<P>,
  { now = Date.now, isUsable = () => true }: { now?: () => number; isUsable?: (payload: P) => boolean } = {},
): PayloadStore<P> {
  const entries = new Map<string, Entry<P>>();
  const forget = (page: string, payload: Promise<P>) => {
    if (entries.get(page)?.payload === payload) entries.delete(page);
  };
  const isFresh = (entry: Entry<P> | undefined) =>
    entry !== undefined && now() - entry.fetchedAt < PREFETCHED_FOR_MS;
  const insert = (page: string, payload: Promise<P>) => {
    entries.delete(page);
    entries.set(page, { payload, fetchedAt: now() });
    const [oldest] = entries.keys();
    if (entries.size > MAX_PREFETCHED && oldest !== undefined) entries.delete(oldest);
  };
  return {
    prefetch(page) {
      if (isFresh(entries.get(page))) return;
      const payload = fetchPayload(page, { isPrefetch: true });
      insert(page, payload);
      payload.then(
        (fetched) => isUsable(fetched) || forget(page, payload),
        () => forget(page, payload),
      );
    },
    put: (page, payload) => insert(page, Promise.resolve(payload)),
    consume(page) {
      const entry = entries.get(page);
      entries.delete(page);
      return entry && isFresh(entry) ? entry.payload : fetchPayload(page, { isPrefetch: false });
    },
    clear: () => entries.clear(),
  };
}
