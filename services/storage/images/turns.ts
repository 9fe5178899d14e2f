/** A queue that limits concurrency, with round robin between clients. */
import { createFairQueue, type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from '../errors.ts';

export interface TurnsOptions {
  atOnce: number;
  /** Limit of one client, if it is counted. */
  atOncePerClient: number;
  /** Further requests are rejected instead of queued. */
  waiting: number;
  /** Limit of one client. */
  waitingPerClient: number;
  /** Longest wait in milliseconds. */
  waitMs: number;
}

/** Limits how many jobs run concurrently. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: FairQueue;
  readonly #closing = new AbortController();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#queue = createFairQueue({
      max: options.atOnce,
      maxPerClient: options.atOncePerClient,
      maxWaiting: options.waiting,
      maxWaitingPerClient: options.waitingPerClient,
    });
  }

  /**
   * Runs `work` when the queue admits the client. Rejects with SlowDown if that takes too long or too many jobs are
   * waiting, and with TooManyRequests if too many jobs of the client are waiting.
   */
  async during<T>(client: readonly string[], work: () => Promise<T>): Promise<T> {
    const release = await this.#take(client);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Rejects all waiting and all later jobs. */
  close(): void {
    this.#closing.abort(failure('SlowDown'));
  }

  async #take(client: readonly string[]): Promise<() => void> {
    const waiting = new AbortController();
    const late = setTimeout(() => waiting.abort(failure('SlowDown')), this.#options.waitMs);
    const signal = AbortSignal.any([waiting.signal, this.#closing.signal]);
    try {
      return await this.#queue.acquire(client, signal);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      if (this.#queue.waiting >= this.#options.waiting) throw failure('SlowDown');
      const headers = { 'retry-after': String(error.retryAfterSeconds) };
      throw failure('TooManyRequests', { headers });
    } finally {
      clearTimeout(late);
    }
  }
}
