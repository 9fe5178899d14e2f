/** Payloads that were fetched ahead, for links that are about to be followed. Each is used once, and soon or never. */

/** How long a payload that was fetched ahead may be used, in milliseconds. */
export const PREFETCHED_FOR_MS = 10_000;
/** As many are kept at most. */
const MAX_PREFETCHED = 8;

/** See the head of this file. Pages are paths with query, as they are on the site. */
interface PayloadStore<P> {
  /** Fetches a payload ahead, unless it is there already. Failures are silent: following the link tries again. */
  prefetch(page: string): void;
  /** Keeps a payload that came by another way, as if it had been fetched ahead. */
  keep(page: string, payload: P): void;
  /** The payload that was fetched ahead, or a new one. Rejects as the fetch does. */
  take(page: string): Promise<P>;
  /** Forgets everything: what was fetched before may be wrong by now. */
  clear(): void;
}

interface Entry<P> {
  payload: Promise<P>;
  fetchedAt: number;
}

/** Makes a store around a way to fetch. `now` gives milliseconds; what is not usable ahead is asked for again. */
export function createPayloadStore<P>(
  fetchPayload: (page: string, options: { isAhead: boolean }) => Promise<P>,
  { now = Date.now, isUsable = () => true }: { now?: () => number; isUsable?: (payload: P) => boolean } = {},
): PayloadStore<P> {
  const entries = new Map<string, Entry<P>>();
  const forget = (page: string, payload: Promise<P>) => {
    if (entries.get(page)?.payload === payload) entries.delete(page);
  };
  const isFresh = (entry: Entry<P> | undefined) =>
    entry !== undefined && now() - entry.fetchedAt < PREFETCHED_FOR_MS;
  const put = (page: string, payload: Promise<P>) => {
    entries.delete(page);
    entries.set(page, { payload, fetchedAt: now() });
    const [oldest] = entries.keys();
    if (entries.size > MAX_PREFETCHED && oldest !== undefined) entries.delete(oldest);
  };
  return {
    prefetch(page) {
      if (isFresh(entries.get(page))) return;
      const payload = fetchPayload(page, { isAhead: true });
      put(page, payload);
      payload.then(
        (fetched) => isUsable(fetched) || forget(page, payload),
        () => forget(page, payload),
      );
    },
    keep: (page, payload) => put(page, Promise.resolve(payload)),
    take(page) {
      const entry = entries.get(page);
      entries.delete(page);
      return entry && isFresh(entry) ? entry.payload : fetchPayload(page, { isAhead: false });
    },
    clear: () => entries.clear(),
  };
}
