/**
 * A rate limit: per client by token buckets, and in total by an average over the last minute. After the total is
 * exhausted, clients below their fair share may still act. An action may cost more than one token: a client with at
 * least one token may act, and the resulting debt delays its next action.
 */
import type { RollingAverage } from './rolling-average.ts';
import { type Exhausted, shareOf } from './shares.ts';

/** Capacity of a bucket, in seconds of the client's rate. */
const BURST_SECONDS = 10;
/** Maximum debt of a bucket, in seconds of the client's rate. */
const MAX_DEBT_SECONDS = 60;
/** Period over which the fair share is measured; the same as for the total. */
const AVERAGE_SECONDS = 60;
/** A client is removed after this time without actions, because its bucket is full again. */
const REMEMBERED_MS = (BURST_SECONDS + MAX_DEBT_SECONDS) * 1000;
const MAX_KEYS = 50_000;
/** Precision of the order of keys in the map. */
const MOVED_EVERY_MS = 1000;

/** Limits of a rate, per second. */
interface RateLimits {
  perClient: number;
  total: number;
}

/** Mutable, because it is updated for each frame. */
interface Usage {
  tokens: number;
  /** Cost of recent actions, with exponential decay over a minute. */
  recent: number;
  updatedMs: number;
  /** Time at which the key was last moved to the end of the map. */
  movedMs: number;
}

/** The rate limit of one kind of action. Keys come from `clientKeys`; without keys only the total applies. */
export class ClientRate {
  readonly #limits: RateLimits;
  readonly #total: RollingAverage;
  readonly #usage = new Map<string, Usage>();

  /** @param total average rate of all clients */
  constructor(limits: RateLimits, total: RollingAverage) {
    this.#limits = limits;
    this.#total = total;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#usage.size;
  }

  /**
   * Charges an action and returns undefined, or returns the limit that is exhausted and charges nothing.
   * @param nowMs milliseconds of a monotonic clock
   */
  take(keys: readonly string[], nowMs: number, cost = 1): Exhausted | undefined {
    const exhausted = this.exhaustedBy(keys, nowMs);
    if (exhausted === undefined) this.charge(keys, nowMs, cost);
    return exhausted;
  }

  /** Returns the limit that prevents the client from acting now; undefined if it may act. */
  exhaustedBy(keys: readonly string[], nowMs: number): Exhausted | undefined {
    for (const key of keys) if (this.#usageOf(key, nowMs).tokens < 1) return 'client';
    if (this.#total.average < this.#limits.total) return undefined;
    return this.#isBelowFairShare(keys, nowMs) ? undefined : 'total';
  }

  /** Charges a client regardless of its limits. */
  charge(keys: readonly string[], nowMs: number, cost = 1): void {
    this.#total.add(cost);
    this.chargeClient(keys, nowMs, cost);
  }

  /** Charges only the client, for work that is counted in the total elsewhere, such as deliveries. */
  chargeClient(keys: readonly string[], nowMs: number, cost: number): void {
    const lowest = -MAX_DEBT_SECONDS * this.#limits.perClient;
    for (const key of keys) {
      const usage = this.#usageOf(key, nowMs);
      usage.tokens = Math.max(lowest, usage.tokens - cost);
      usage.recent += cost;
      this.#keep(key, usage, nowMs);
    }
  }

  /** Whether a client has enough tokens for the whole cost. */
  has(keys: readonly string[], nowMs: number, cost: number): boolean {
    return keys.every((key) => this.#usageOf(key, nowMs).tokens >= cost);
  }

  /** Returns the milliseconds until the client has a token; 0 if it has one. */
  waitMs(keys: readonly string[], nowMs: number): number {
    return keys.reduce((longest, key) => {
      const missing = 1 - this.#usageOf(key, nowMs).tokens;
      return missing <= 0 ? longest : Math.max(longest, (missing / this.#perSecond(key)) * 1000);
    }, 0);
  }

  #isBelowFairShare(keys: readonly string[], nowMs: number): boolean {
    this.#forgetSilent(nowMs);
    const clients = this.#usage.size / Math.max(1, keys.length);
    const fair = (this.#limits.total * AVERAGE_SECONDS) / Math.max(1, clients);
    return keys.length > 0 && keys.every((key) => this.#usageOf(key, nowMs).recent < fair);
  }

  #perSecond(key: string): number {
    return this.#limits.perClient * shareOf(key);
  }

  #burst(key: string): number {
    return Math.max(1, this.#perSecond(key) * BURST_SECONDS);
  }

  #usageOf(key: string, nowMs: number): Usage {
    const burst = this.#burst(key);
    const known = this.#usage.get(key);
    if (known === undefined)
      return { tokens: burst, recent: 0, updatedMs: nowMs, movedMs: Number.NEGATIVE_INFINITY };
    const seconds = (nowMs - known.updatedMs) / 1000;
    if (seconds <= 0) return known;
    known.tokens = Math.min(burst, known.tokens + seconds * this.#perSecond(key));
    known.recent *= Math.exp(-seconds / AVERAGE_SECONDS);
    known.updatedMs = nowMs;
    return known;
  }

  /** Stores the usage and moves its key to the end of the map, so that the first keys are the least recently used. */
  #keep(key: string, usage: Usage, nowMs: number): void {
    if (nowMs - usage.movedMs < MOVED_EVERY_MS) return;
    usage.movedMs = nowMs;
    this.#usage.delete(key);
    this.#usage.set(key, usage);
    if (this.#usage.size <= MAX_KEYS) return;
    const [oldest] = this.#usage.keys();
    if (oldest !== undefined) this.#usage.delete(oldest);
  }

  #forgetSilent(nowMs: number): void {
    for (const [key, { movedMs }] of this.#usage) {
      if (nowMs - movedMs < REMEMBERED_MS) return;
      this.#usage.delete(key);
    }
  }
}
