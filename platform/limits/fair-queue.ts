/**
 * A semaphore that clients share fairly: the permits of each client are limited, and waiting clients are served in
 * turns, so that many requests of one client delay only that client.
 */

/**
 * Options of {@link createFairQueue}. Each is a whole number of at least 1, or of at least 0 for the two limits of
 * waiting requests.
 */
export interface FairQueueOptions {
  /** Maximum number of permits held at once. */
  max: number;
  /** Maximum number of permits held under one key. */
  maxPerClient: number;
  /** Maximum number of waiting requests. */
  maxWaiting: number;
  /** Maximum number of waiting requests under one key. */
  maxWaitingPerClient: number;
}

/** Too many requests wait for a permit, of this client or in total. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** Value for the header `Retry-After`. */
  readonly retryAfterSeconds = 1;
}

/** Releases a permit. Further calls do nothing. */
export type Release = () => void;

/** A fair semaphore. `keys` come from `clientKeys`; without keys only the totals apply. */
export interface FairQueue {
  /**
   * Waits for a permit. Rejects with {@link QueueFullError} if too many requests wait, and with the reason of `signal`
   * if that aborts first.
   */
  acquire(keys: readonly string[], signal?: AbortSignal): Promise<Release>;
  /** Runs `work` while it holds a permit. Rejects as {@link acquire} does, or as `work` does. */
  run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Returns a permit if one is free now; undefined otherwise. */
  tryAcquire(keys: readonly string[]): Release | undefined;
  /** Number of permits held. */
  readonly active: number;
  /** Number of waiting requests. */
  readonly waiting: number;
}

interface Waiter {
  keys: readonly string[];
  grant: (release: Release) => void;
}

/** Client key that all requests without keys share. */
const UNCOUNTED = '';

/** Creates a queue with all permits free. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  return new RoundRobinQueue(options);
}

class RoundRobinQueue implements FairQueue {
  readonly #options: FairQueueOptions;
  readonly #activeOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  /** First key of a client → its waiters, oldest first. Clients are served in the order of the map. */
  readonly #turns = new Map<string, Waiter[]>();
  #active = 0;
  #waiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#active;
  }

  get waiting(): number {
    return this.#waiting;
  }

  async run<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.acquire(keys, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  tryAcquire(keys: readonly string[]): Release | undefined {
    return this.#hasCapacity(keys) ? this.#grant(keys) : undefined;
  }

  acquire(keys: readonly string[], signal?: AbortSignal): Promise<Release> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#hasCapacity(keys)) return Promise.resolve(this.#grant(keys));
    if (!this.#mayWait(keys)) return Promise.reject(new QueueFullError('too many requests are waiting'));
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        keys,
        grant(release) {
          signal?.removeEventListener('abort', abort);
          resolve(release);
        },
      };
      const abort = () => {
        this.#remove(waiter);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#enqueue(waiter);
    });
  }

  #hasCapacity(keys: readonly string[]): boolean {
    const { max, maxPerClient } = this.#options;
    return this.#active < max && keys.every((key) => (this.#activeOf.get(key) ?? 0) < maxPerClient);
  }

  #mayWait(keys: readonly string[]): boolean {
    const { maxWaiting, maxWaitingPerClient } = this.#options;
    const isBelow = (key: string) => (this.#waitingOf.get(key) ?? 0) < maxWaitingPerClient;
    return this.#waiting < maxWaiting && keys.every(isBelow);
  }

  #grant(keys: readonly string[]): Release {
    this.#active += 1;
    for (const key of keys) change(this.#activeOf, key, 1);
    let isActive = true;
    return () => {
      if (!isActive) return;
      isActive = false;
      this.#active -= 1;
      for (const key of keys) change(this.#activeOf, key, -1);
      this.#serve();
    };
  }

  #enqueue(waiter: Waiter): void {
    const client = waiter.keys[0] ?? UNCOUNTED;
    const queue = this.#turns.get(client);
    if (queue === undefined) this.#turns.set(client, [waiter]);
    else queue.push(waiter);
    this.#waiting += 1;
    for (const key of waiter.keys) change(this.#waitingOf, key, 1);
  }

  /** Grants permits to the clients whose turn it is. A client that was served moves to the end. */
  #serve(): void {
    for (const [client, [first]] of this.#turns) {
      if (this.#active >= this.#options.max) return;
      if (first === undefined || !this.#hasCapacity(first.keys)) continue;
      this.#remove(first);
      const rest = this.#turns.get(client);
      if (rest !== undefined) {
        this.#turns.delete(client);
        this.#turns.set(client, rest);
      }
      first.grant(this.#grant(first.keys));
    }
  }

  #remove(waiter: Waiter): void {
    const client = waiter.keys[0] ?? UNCOUNTED;
    const queue = this.#turns.get(client);
    const at = queue?.indexOf(waiter) ?? -1;
    if (queue === undefined || at === -1) return;
    queue.splice(at, 1);
    if (queue.length === 0) this.#turns.delete(client);
    this.#waiting -= 1;
    for (const key of waiter.keys) change(this.#waitingOf, key, -1);
  }
}

/** Keys at zero are deleted, so that memory is limited by the number of current clients. */
function change(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
