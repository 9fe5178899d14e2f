/**
 * An LRU cache of plans and SQL by the shape of the request. Its memory is bounded because clients determine the number of
 * shapes.
 */
import { LRUCache } from 'lru-cache';

/** Total length of the keys and the SQL texts. */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const MAX_PLANS = 10_000;

/** An entry: the cache measures the length of its SQL. */
interface Prepared {
  statements: { main: { text: string }; write?: { text: string } | undefined };
}

/** The plans for one schema cache. A reload replaces both. */
export class PlanCache<Entry extends Prepared> {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_PLANS, maxSize: MAX_CHARACTERS });

  /** Returns the entry of a key. Prepares and stores it if it is missing. Errors of `prepare` are thrown and not stored. */
  get(key: string, prepare: () => Entry): Entry {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const prepared = prepare();
    const { main, write } = prepared.statements;
    this.#entries.set(key, prepared, { size: key.length + main.text.length + (write?.text.length ?? 0) });
    return prepared;
  }
}
