/**
 * Plans and SQL by the shapes of requests. Clients decide how many shapes there are, so the memory is bounded, and the least
 * recently used entries are evicted first.
 */
import { LRUCache } from 'lru-cache';

/** In characters of keys and texts. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const MOST_PLANS = 10_000;

/** An entry counts by the length of its SQL. */
interface Prepared {
  statements: { main: { text: string }; write?: { text: string } | undefined };
}

/** A cache for one schema cache. Both are replaced together. */
export class PlanCache<Entry extends Prepared> {
  readonly #entries = new LRUCache<string, Entry>({ max: MOST_PLANS, maxSize: MOST_CHARACTERS });

  /** The entry of a key; prepared and stored if there is none. An error of `prepare` is thrown and not stored. */
  get(key: string, prepare: () => Entry): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const prepared = prepare();
    const { main, write } = prepared.statements;
    this.#entries.set(key, prepared, { size: key.length + main.text.length + (write?.text.length ?? 0) });
    return prepared;
  }
}
