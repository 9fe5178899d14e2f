/**
 * What was prepared for requests of one shape. Whoever sends requests decides how many shapes there are, so the memory
 * that they take is bounded, and those that are not asked for again go first.
 */
import { LRUCache } from 'lru-cache';

/** In characters of keys and texts. */
const MOST_CHARACTERS = 32 * 1024 * 1024;
const MOST_PLANS = 10_000;

/** Something with SQL text. */
interface Prepared {
  main: { text: string };
  write?: { text: string } | undefined;
}

/** Plans by the shapes of requests. It belongs to one schema cache, and is gone with it. */
export class PlanCache {
  readonly #plans = new LRUCache<string, Prepared>({ max: MOST_PLANS, maxSize: MOST_CHARACTERS });

  /** The plan of a key; made, and remembered, where there is none yet. What `prepare` throws is not remembered. */
  get<P extends Prepared>(key: string, prepare: () => P): P {
    const known = this.#plans.get(key);
    // A key begins with what it is for, so each has plans of one kind.
    if (known !== undefined) return known as P;
    const prepared = prepare();
    const { main, write } = prepared;
    this.#plans.set(key, prepared, { size: key.length + main.text.length + (write?.text.length ?? 0) });
    return prepared;
  }
}
