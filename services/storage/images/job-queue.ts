/** A queue that limits concurrency, with round robin between clients. */
import { createFairQueue, type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from '../errors.ts';

export interface JobQueueOptions {
  maxConcurrent: number;
  /** Limit of one client, if it is counted. */
  maxConcurrentPerClient: number;
  /** Further requests are rejected instead of queued. */
  maxWaiting: number;
  /** Limit of one client. */
  maxWaitingPerClient: number;
  /** Longest wait in milliseconds. */
  maxWaitMs: number;
}

/** Limits how many jobs run concurrently. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  readonly #queue: FairQueue;
  readonly #closing = new AbortController();

  constructor(options: JobQueueOptions) {
    this.#options = options;
    this.#queue = createFairQueue({
      max: options.maxConcurrent,
      maxPerClient: options.maxConcurrentPerClient,
      maxWaiting: options.maxWaiting,
      maxWaitingPerClient: options.maxWaitingPerClient,
    });
  }

  /**
   * Runs `work` when the queue admits the client. Rejects with SlowDown if that takes too long or too many jobs are
   * waiting, and with TooManyRequests if too many jobs of the client are waiting.
   */
  async run<T>(client: readonly string[], work: () => Promise<T>): Promise<T> {
    const release = await this.#acquire(client);
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

  async #acquire(client: readonly string[]): Promise<() => void> {
    const waiting = new AbortController();
    const timeout = setTimeout(() => waiting.abort(failure('SlowDown')), this.#options.maxWaitMs);
    const signal = AbortSignal.any([waiting.signal, this.#closing.signal]);
    try {
      return await this.#queue.acquire(client, signal);
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error;
      if (this.#queue.waiting >= this.#options.maxWaiting) throw failure('SlowDown');
      const headers = { 'retry-after': String(error.retryAfterSeconds) };
      throw failure('TooManyRequests', { headers });
    } finally {
      clearTimeout(timeout);
    }
  }
}
