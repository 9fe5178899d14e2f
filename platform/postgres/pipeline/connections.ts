/** Stage 3 of the pipeline: requests connections of the pool for queued reads. ./connection-state.ts has the life of each. */
import { type Pool, PoolTimeoutError } from '../pool.ts';
import type { RawClient } from '../raw-batch/client.ts';
import {
  type ConnectionCounts,
  type ConnectionEvent,
  type ConnectionState,
  connectionTransition,
  mayRequest,
} from './connection-state.ts';
import type { ReadQueue } from './read-queue.ts';

/** Options of {@link Connections}. */
interface ConnectionsOptions {
  pool: Pool<RawClient>;
  /** Connections of the pool. */
  max: number;
  queue: ReadQueue;
  /** Starts a batch of queued reads. Resolves when it has ended; undefined if there is none. */
  start: (client: RawClient, use: ConnectionUse) => Promise<void> | undefined;
}

/** The use of one connection, from its request until the pool has taken it back. */
export class ConnectionUse {
  state: ConnectionState = 'requested';
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Its batch is not quick. Quick reads may request another connection in its place. */
  becomeSlow(): void {
    this.#connections.send(this, 'slow');
    this.#connections.request();
  }
}

/** The connections that the pipeline uses. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #counts: ConnectionCounts = { requested: 0, quick: 0, slow: 0, returning: 0 };

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Number of connections that will take queued reads soon, before anything else wants them. */
  get coming(): number {
    const { requested, returning } = this.#counts;
    return Math.max(0, requested + returning - this.#options.pool.waiting());
  }

  /** Requests a connection if the read at the front of the queue needs one. */
  request(): void {
    const { pool, max, queue } = this.#options;
    const { first } = queue;
    if (first === undefined || !mayRequest(this.#counts, first.read.latency.isQuick, max)) return;
    const use = new ConnectionUse(this);
    this.#counts.requested += 1;
    pool
      .use((client) => this.#run(client, use))
      .catch((error: Error) => this.#fail(use, error))
      .then((isRefused) => {
        this.send(use, use.state === 'requested' ? 'refused' : 'returned');
        if (isRefused !== true) this.request();
      });
  }

  send(use: ConnectionUse, event: ConnectionEvent): void {
    this.#count(use.state, -1);
    use.state = connectionTransition(use.state, event);
    this.#count(use.state, 1);
  }

  #count(state: ConnectionState, difference: number): void {
    if (state !== 'finished') this.#counts[state] += difference;
  }

  async #run(client: RawClient, use: ConnectionUse): Promise<void> {
    this.send(use, 'lent');
    try {
      await this.#options.start(client, use);
    } finally {
      this.send(use, 'ended');
    }
  }

  /** Returns whether no other connection is to be requested. */
  #fail({ state }: ConnectionUse, error: Error): boolean {
    // The reads of a batch have been rejected by then, and the queue rejects reads in time.
    if (state !== 'requested' || error instanceof PoolTimeoutError) return false;
    // Connections that run a batch will take the queued reads.
    if (this.#counts.quick + this.#counts.slow > 0) return true;
    this.#options.queue.rejectAll(error);
    return false;
  }
}
