/** The processes of one function: one that takes requests, started by the first of them, and retiring ones. */

import { StartFailure } from '../start-failure.ts';
import type { Capacity } from './capacity.ts';
import type { Worker } from './worker.ts';

/** A process that serves, and the end of its use. */
export interface Lease {
  worker: Worker;
  release(): void;
}

/** Options of {@link FunctionWorkers}. */
interface FunctionWorkersOptions {
  /** Prepares the current source and starts a process. Rejects with {@link StartFailure}. */
  start(): Promise<Worker>;
  capacity: Capacity;
  idleMs: number;
}

/** After a failed start, requests get the same failure for this time, so that they cannot start a process each. */
const FAILURE_MS = 1000;

export class FunctionWorkers {
  readonly #options: FunctionWorkersOptions;
  #current: Promise<Worker> | undefined;
  /** Counts the replacements: a process that was started before the last one takes no requests. */
  #generation = 0;
  #failure: { error: StartFailure; until: number } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #running = new Set<Worker>();

  constructor(options: FunctionWorkersOptions) {
    this.#options = options;
  }

  /** Number of processes. */
  get size(): number {
    return this.#running.size;
  }

  /** Whether a process may be ended to make room for another function. */
  get isIdle(): boolean {
    return this.#running.size > 0 && [...this.#running].every((worker) => worker.isIdle);
  }

  /**
   * Returns a process that serves. Rejects with {@link StartFailure}, or with the error of the capacity if no further
   * process may run.
   */
  async acquire(): Promise<Lease> {
    clearTimeout(this.#idleTimer);
    for (;;) {
      const worker = await this.#serving();
      // It may have been retired while this call waited.
      if (!worker.acceptsRequests) continue;
      const end = worker.begin();
      return {
        worker,
        release: () => {
          end();
          if (worker.isIdle) this.#waitForRequests();
        },
      };
    }
  }

  /** Lets the next request use the source as it is then. Running requests end with the process that has them. */
  replace(): void {
    this.#failure = undefined;
    this.#retire('early_drop');
  }

  /** Ends all processes; resolves when they have ended. */
  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#retire('termination');
    await Promise.all([...this.#running].map((worker) => worker.ended));
  }

  /** Ends all processes at once; resolves when they have ended. */
  async kill(): Promise<void> {
    for (const worker of this.#running) worker.kill('stopped');
    await this.close();
  }

  #retire(reason: 'early_drop' | 'termination'): void {
    this.#current = undefined;
    this.#generation += 1;
    for (const worker of this.#running) {
      // One that is starting is retired when it has started: requests may wait for it.
      if (reason === 'termination' || !worker.isStarting) worker.retire(reason);
    }
  }

  async #serving(): Promise<Worker> {
    if (this.#failure !== undefined && Date.now() < this.#failure.until) throw this.#failure.error;
    this.#current ??= this.#startOne();
    const generation = this.#generation;
    const starting = this.#current;
    try {
      const worker = await starting;
      if (!worker.acceptsRequests && this.#current === starting) this.#current = undefined;
      return worker;
    } catch (error) {
      if (this.#current === starting) this.#current = undefined;
      if (error instanceof StartFailure && generation === this.#generation)
        this.#failure = { error, until: Date.now() + FAILURE_MS };
      throw error;
    }
  }

  async #startOne(): Promise<Worker> {
    const generation = this.#generation;
    const leave = await this.#options.capacity.enter(this);
    try {
      const worker = await this.#options.start();
      this.#running.add(worker);
      void worker.ended.then(() => {
        this.#running.delete(worker);
        leave();
      });
      await worker.ready;
      if (generation !== this.#generation) worker.retire('early_drop');
      return worker;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #waitForRequests(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.isIdle) this.#retire('early_drop');
    }, this.#options.idleMs);
    this.#idleTimer.unref();
  }
}
