/** A queue in front of work of which only so much may go on at once. */
import { failure } from '../errors.ts';

/** Limits of a queue. */
export interface TurnsOptions {
  atOnce: number;
  /** Any more who would have to wait are refused. */
  waiting: number;
  /** Longest wait, in milliseconds. */
  waitMs: number;
}

interface Waiter {
  grant(): void;
  refuse(): void;
}

/** Hands out turns, first come, first served. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #waiters: Waiter[] = [];
  #taken = 0;
  #isClosed = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Runs `work` when it is its turn. Rejects with SlowDown where that takes too long. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    await this.#take();
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Refuses everybody who waits, and whoever comes later. */
  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters.splice(0)) waiter.refuse();
  }

  async #take(): Promise<void> {
    const { atOnce, waiting } = this.#options;
    if (this.#isClosed || (this.#taken >= atOnce && this.#waiters.length >= waiting)) {
      throw failure('SlowDown');
    }
    if (this.#taken >= atOnce) return this.#wait();
    this.#taken += 1;
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        grant: () => {
          clearTimeout(late);
          resolve();
        },
        refuse: () => {
          clearTimeout(late);
          reject(failure('SlowDown'));
        },
      };
      const late = setTimeout(() => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        waiter.refuse();
      }, this.#options.waitMs);
      this.#waiters.push(waiter);
    });
  }

  #pass(): void {
    const next = this.#waiters.shift();
    if (next === undefined) this.#taken -= 1;
    else next.grant();
  }
}
