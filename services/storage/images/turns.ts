/** A queue in front of work of which only so much may go on at once. Clients have turns. */
import { createFairQueue, type FairQueue, QueueFullError } from '@greenroom/limits';
import { failure } from '../errors.ts';

/** Limits of a queue. */
export interface TurnsOptions {
  atOnce: number;
  /** Of one client, where it is counted. */
  atOncePerClient: number;
  /** Any more that would have to wait are refused. */
  waiting: number;
  /** Of one client. */
  waitingPerClient: number;
  /** Longest wait, in milliseconds. */
  waitMs: number;
}

/** Hands out turns. */
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
   * Runs `work` when it is the client's turn. Rejects with SlowDown where that takes too long or too many wait, and with
   * TooManyRequests where too many of the client wait.
   */
  async during<T>(client: readonly string[], work: () => Promise<T>): Promise<T> {
    const release = await this.#take(client);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Refuses all that wait, and all that come later. */
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
