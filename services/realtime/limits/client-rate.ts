/**
 * A rate, limited per client by token buckets and in total by an average of the last minute. Once the total is exhausted,
 * clients below their fair share of it go on. An action may cost more than one token: a client that has tokens left may
 * act, and what it costs above them delays its next action.
 */
import type { RollingAverage } from './rolling-average.ts';
import { type Exhausted, shareOf } from './shares.ts';

/** Tokens that a client can save, in seconds of its rate. */
const BURST_SECONDS = 10;
/** Most that an action may delay the next one, in seconds. */
const MAX_DEBT_SECONDS = 60;
/** The fair share is measured over the same time as the total. */
const AVERAGE_SECONDS = 60;
/** A client that was silent for so long is forgotten: its bucket is full again. */
const REMEMBERED_MS = (BURST_SECONDS + MAX_DEBT_SECONDS) * 1000;
const MAX_KEYS = 50_000;
/** The order of keys is exact to this time. */
const MOVED_EVERY_MS = 1000;

/** Limits of a rate, per second. */
interface RateLimits {
  perClient: number;
  total: number;
}

/** Changed in place: it is read and written for each frame. */
interface Usage {
  tokens: number;
  /** Cost of the last minute, with exponential decay. */
  recent: number;
  updatedMs: number;
  /** When it was last moved to the end of the map. */
  movedMs: number;
}

/** A rate of one kind of action. Keys come from `clientKeys`; without keys only the total applies. */
export class ClientRate {
  readonly #limits: RateLimits;
  readonly #total: RollingAverage;
  readonly #usage = new Map<string, Usage>();

  /** @param total counts the actions of all clients */
  constructor(limits: RateLimits, total: RollingAverage) {
    this.#limits = limits;
    this.#total = total;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#usage.size;
  }

  /**
   * Charges an action and returns undefined, or charges nothing and returns the limit that is exhausted.
   * @param nowMs any clock in milliseconds that does not run backwards
   */
  take(keys: readonly string[], nowMs: number, cost = 1): Exhausted | undefined {
    const exhausted = this.exhaustedBy(keys, nowMs);
    if (exhausted === undefined) this.charge(keys, nowMs, cost);
    return exhausted;
  }

  /** The limit that keeps a client from acting now; undefined where it may act. */
  exhaustedBy(keys: readonly string[], nowMs: number): Exhausted | undefined {
    for (const key of keys) if (this.#usageOf(key, nowMs).tokens < 1) return 'client';
    if (this.#total.average < this.#limits.total) return undefined;
    return this.#isBelowFairShare(keys, nowMs) ? undefined : 'total';
  }

  /** Charges a client, whatever it has left. */
  charge(keys: readonly string[], nowMs: number, cost = 1): void {
    this.#total.add(cost);
    this.chargeClient(keys, nowMs, cost);
  }

  /** Charges a client for work whose total is counted elsewhere, such as deliveries. */
  chargeClient(keys: readonly string[], nowMs: number, cost: number): void {
    const lowest = -MAX_DEBT_SECONDS * this.#limits.perClient;
    for (const key of keys) {
      const usage = this.#usageOf(key, nowMs);
      usage.tokens = Math.max(lowest, usage.tokens - cost);
      usage.recent += cost;
      this.#keep(key, usage, nowMs);
    }
  }

  /** Whether a client has tokens for all of an action. */
  has(keys: readonly string[], nowMs: number, cost: number): boolean {
    return keys.every((key) => this.#usageOf(key, nowMs).tokens >= cost);
  }

  /** Milliseconds until the client has a token; 0: now. */
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

  /** Deleting first moves the key to the end of the map, so that the first keys are the stalest ones. */
  #keep(key: string, usage: Usage, nowMs: number): void {
    if (nowMs - usage.movedMs < MOVED_EVERY_MS) return;
    usage.movedMs = nowMs;
    this.#usage.delete(key);
    this.#usage.set(key, usage);
    if (this.#usage.size <= MAX_KEYS) return;
    const [stalest] = this.#usage.keys();
    if (stalest !== undefined) this.#usage.delete(stalest);
  }

  #forgetSilent(nowMs: number): void {
    for (const [key, { movedMs }] of this.#usage) {
      if (nowMs - movedMs < REMEMBERED_MS) return;
      this.#usage.delete(key);
    }
  }
}
