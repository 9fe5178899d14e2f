/**
 * Counts of resources that clients hold, such as sockets or bytes, limited per client and in total. After the total is
 * reached, a client may still take up to its fair share, which is the total divided by the number of clients that hold
 * anything. The sum can therefore exceed the total, but at most twofold, and clients with low usage are never refused
 * because of clients with high usage.
 */
import { type Exhausted, isWide, shareOf } from './shares.ts';

export interface CountLimits {
  perClient: number;
  total: number;
}

/** Counts of one resource. Keys come from `clientKeys`; without keys only the total applies. */
export class ClientCounts {
  readonly #limits: CountLimits;
  readonly #counts = new Map<string, number>();
  #clients = 0;
  #total = 0;

  constructor(limits: CountLimits) {
    this.#limits = limits;
  }

  /** Count of all clients together. */
  get total(): number {
    return this.#total;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#counts.size;
  }

  /** Count of a client's narrowest key. */
  countOf(keys: readonly string[]): number {
    return this.#counts.get(keys[0] ?? '') ?? 0;
  }

  /** Adds `count` and returns undefined, or adds nothing and returns the limit that is exhausted. */
  take(keys: readonly string[], count = 1): Exhausted | undefined {
    const exhausted = this.#exhaustedBy(keys, count);
    if (exhausted === undefined) this.#add(keys, count);
    return exhausted;
  }

  /** Adds `count` regardless of the limits. */
  force(keys: readonly string[], count = 1): void {
    this.#add(keys, count);
  }

  /** Returns the client with the highest count; undefined if no client holds anything. */
  largest(): { key: string; count: number } | undefined {
    let largest: { key: string; count: number } | undefined;
    for (const [key, count] of this.#counts) {
      if (!isWide(key) && count > (largest?.count ?? 0)) largest = { key, count };
    }
    return largest;
  }

  /** Subtracts a count that was taken with the same keys. */
  release(keys: readonly string[], count = 1): void {
    this.#add(keys, -count);
  }

  /** Moves `count` to other keys. Returns false and changes nothing if their limit would be exceeded. */
  move(from: readonly string[], to: readonly string[], count: number): boolean {
    if (this.#isAboveClientLimit(to, count)) return false;
    this.#add(from, -count);
    this.#add(to, count);
    return true;
  }

  #exhaustedBy(keys: readonly string[], count: number): Exhausted | undefined {
    if (this.#isAboveClientLimit(keys, count)) return 'client';
    if (this.#total + count <= this.#limits.total) return undefined;
    return keys.length > 0 && this.#isWithinFairShare(keys, count) ? undefined : 'total';
  }

  #isAboveClientLimit(keys: readonly string[], count: number): boolean {
    const limitOf = (key: string) => Math.max(1, this.#limits.perClient * shareOf(key));
    return keys.some((key) => (this.#counts.get(key) ?? 0) + count > limitOf(key));
  }

  #isWithinFairShare(keys: readonly string[], count: number): boolean {
    const clients = this.#clients + (this.countOf(keys) > 0 ? 0 : 1);
    const fair = this.#limits.total / clients;
    return keys.every((key) => (this.#counts.get(key) ?? 0) + count <= fair);
  }

  #add(keys: readonly string[], count: number): void {
    this.#total += count;
    for (const [index, key] of keys.entries()) {
      const before = this.#counts.get(key) ?? 0;
      const after = before + count;
      if (after <= 0) this.#counts.delete(key);
      else this.#counts.set(key, after);
      if (index === 0) this.#clients += Number(after > 0) - Number(before > 0);
    }
  }
}
