/** Stage 2 of the pipeline: admitted reads wait for a connection, first in, first out, until their deadline. */
import { PoolTimeoutError } from '../pool.ts';
import type { PendingRead } from './pending-read.ts';

/** A queue of reads. It rejects reads that are aborted, and overdue reads with {@link PoolTimeoutError}. */
export class ReadQueue {
  readonly #timeoutMs: number;
  #waiting: PendingRead[] = [];
  /** Whether a timer for the next deadline is running. */
  #hasTimer = false;

  /** @param timeoutMs time from the enqueuing of a read to its deadline, in milliseconds */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** The read at the front of the queue. */
  get first(): PendingRead | undefined {
    return this.#waiting[0];
  }

  push(read: PendingRead): void {
    read.stage = this;
    read.listen();
    this.#waiting.push(read);
    if (!this.#hasTimer) this.#startTimer(this.#timeoutMs);
  }

  /** Puts reads back at the front. */
  unshift(reads: readonly PendingRead[]): void {
    for (const read of reads) read.stage = this;
    this.#waiting.unshift(...reads);
  }

  shift(): PendingRead | undefined {
    return this.#waiting.shift();
  }

  abort(read: PendingRead): void {
    this.#waiting = this.#waiting.filter((each) => each !== read);
    read.reject(read.read.signal?.reason as Error);
  }

  rejectAll(error: Error): void {
    const rejected = this.#waiting;
    this.#waiting = [];
    for (const read of rejected) read.reject(error);
  }

  #startTimer(ms: number): void {
    this.#hasTimer = true;
    setTimeout(() => this.#rejectOverdue(), ms).unref();
  }

  #rejectOverdue(): void {
    this.#hasTimer = false;
    const now = performance.now();
    const overdue = this.#waiting.filter(({ deadline }) => deadline <= now);
    this.#waiting = this.#waiting.filter(({ deadline }) => deadline > now);
    for (const read of overdue) {
      read.reject(new PoolTimeoutError(`no connection became available within ${this.#timeoutMs} ms`));
    }
    if (this.#waiting.length > 0) this.#startTimer(Math.ceil(earliestDeadline(this.#waiting) - now));
  }
}

function earliestDeadline(reads: readonly PendingRead[]): number {
  return reads.reduce((earliest, { deadline }) => Math.min(earliest, deadline), Number.POSITIVE_INFINITY);
}
