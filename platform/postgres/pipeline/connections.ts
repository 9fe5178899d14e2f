/**
 * Stage 3 of the pipeline: requests connections from the pool for queued reads. See ./connection-state.ts for their
 * states.
 */
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
  max: number;
  queue: ReadQueue;
  /** Starts a batch of queued reads. Resolves when it has ended; undefined if no read is queued. */
  start: (client: RawClient, use: ConnectionUse) => Promise<void> | undefined;
}

/** The use of one connection, from its request until the pool has received it back. */
export class ConnectionUse {
  state: ConnectionState = 'requested';
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Called when its batch turns out not to be quick. Quick reads may then request another connection in its place. */
  markSlow(): void {
    this.#connections.send(this, 'slow');
    this.#connections.request();
  }
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #counts: ConnectionCounts = { requested: 0, quick: 0, slow: 0, returning: 0 };

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Number of connections that will soon be free for queued reads, without those that other callers of the pool need. */
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

  /** Returns true if no other connection should be requested. */
  #fail({ state }: ConnectionUse, error: Error): boolean {
    // The reads of a batch have been rejected already, and the queue rejects overdue reads.
    if (state !== 'requested' || error instanceof PoolTimeoutError) return false;
    // Connections that run a batch will run the queued reads next.
    if (this.#counts.quick + this.#counts.slow > 0) return true;
    this.#options.queue.rejectAll(error);
    return false;
  }
}
