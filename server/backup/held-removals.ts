/** Removals of content that waited until it was copied. They run in the background, a few at a time. */

/** Most names of one call. */
const MAX_NAMES = 1000;
/** Most concurrent calls. */
const MAX_CONCURRENT = 16;

/** A name to remove, and the function that removes it. */
export interface HeldRemoval {
  name: { version: string };
  /** Logs its own failures. */
  remove(names: { version: string }[]): Promise<void>;
}

/** Running removals of one instance. */
export class HeldRemovals {
  readonly #batches: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();
  #isClosed = false;

  /** Starts to remove names. Names that have the same function are passed to it together. */
  start(removals: Iterable<HeldRemoval>): void {
    if (this.#isClosed) return;
    for (const [remove, names] of namesByFunction(removals)) {
      for (let start = 0; start < names.length; start += MAX_NAMES) {
        const batch = names.slice(start, start + MAX_NAMES);
        this.#batches.push(async () => remove(batch));
      }
    }
    this.#startNext();
  }

  /** Starts no more removals. Resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#batches.length = 0;
    await Promise.all(this.#running);
  }

  #startNext(): void {
    while (this.#running.size < MAX_CONCURRENT) {
      const batch = this.#batches.pop();
      if (batch === undefined) return;
      const running = batch()
        .catch(() => undefined)
        .finally(() => {
          this.#running.delete(running);
          this.#startNext();
        });
      this.#running.add(running);
    }
  }
}

function namesByFunction(removals: Iterable<HeldRemoval>): Map<HeldRemoval['remove'], HeldRemoval['name'][]> {
  const names = new Map<HeldRemoval['remove'], HeldRemoval['name'][]>();
  for (const { remove, name } of removals) {
    const others = names.get(remove);
    if (others === undefined) names.set(remove, [name]);
    else others.push(name);
  }
  return names;
}
