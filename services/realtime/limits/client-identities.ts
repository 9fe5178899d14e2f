/**
 * Counts the distinct pairs of role and claims with which clients subscribe to database changes. Each pair costs one
 * policy check per change, regardless of the number of its channels.
 */
import { ClientCounts, type CountLimits } from './client-counts.ts';
import type { Exhausted } from './shares.ts';

/** Counts identities per client, and distinct identities in total. */
export class ClientIdentities {
  readonly #counts: ClientCounts;
  readonly #maxTotal: number;
  /** Number of subscriptions by client and identity. `#distinct` has them by identity alone. */
  readonly #users = new Map<string, number>();
  readonly #distinct = new Map<string, number>();

  constructor({ perClient, total }: CountLimits) {
    this.#counts = new ClientCounts({ perClient, total: Number.POSITIVE_INFINITY });
    this.#maxTotal = total;
  }

  /** Number of distinct identities in use. */
  get total(): number {
    return this.#distinct.size;
  }

  /**
   * Takes an identity and returns undefined, or returns the limit that is exhausted. After the total is reached, a
   * client may still use one identity.
   */
  take(keys: readonly string[], identity: string): Exhausted | undefined {
    const name = nameOf(keys, identity);
    if (!this.#users.has(name)) {
      const isFull = this.#distinct.size >= this.#maxTotal && !this.#distinct.has(identity);
      if (isFull && (keys.length === 0 || this.#counts.countOf(keys) > 0)) return 'total';
      const exhausted = this.#counts.take(keys);
      if (exhausted !== undefined) return exhausted;
    }
    change(this.#users, name, 1);
    change(this.#distinct, identity, 1);
    return undefined;
  }

  /** Ends one use of an identity that was taken with the same keys. */
  release(keys: readonly string[], identity: string): void {
    const name = nameOf(keys, identity);
    change(this.#users, name, -1);
    change(this.#distinct, identity, -1);
    if (!this.#users.has(name)) this.#counts.release(keys);
  }
}

function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Zero bytes are safe separators: neither keys nor names in PostgreSQL contain them. */
function nameOf(keys: readonly string[], identity: string): string {
  return `${keys[0] ?? ''}\0${identity}`;
}
