/**
 * Runs reads of several requests in one flush (PostgreSQL's documentation, "Pipelining"). While connections are free, each
 * read uses its own. If reads are queued, a connection that becomes free runs several quick ones in one batch, see
 * {@link ./pipeline/combine.ts}.
 *
 *     read ─► 1 admission ─► 2 queue ─► 3 connections ─► 4 combine ─► 5 batch ─► result
 *                 ▲                                                      │
 *                 └──────────────────── given back ──────────────────────┘
 *
 * States of a read, which may be rejected in each of them:
 *
 *                permitted               lent                answered
 *         new ──────────────► queued ─────────────► running ──────────► settled
 *          │                  ▲ │  ▲                 │   │
 *          │         acquired │ │  └─────────────────┘   │
 *          │                  │ │      given back        │ given back,
 *          │ needs a permit   │ │ needs a permit         │ needs a permit
 *          │                  │ ▼                        │
 *          └─────────────► acquiring ◄───────────────────┘
 *
 * Each read is a separate transaction. If one turns out to be slow, or its caller receives the result slowly, the other
 * reads of the batch are run again on another connection. So a read must not write, and each read resets the session
 * settings that earlier reads may have changed.
 *
 * A read that is not known to be quick acquires a permit of its client first, see {@link ./connection-shares.ts}. A read
 * that turns out to be slow acquires one while it runs; if none is free, the read is cancelled, and run again as soon as
 * one is.
 */
import type { ConnectionShares } from './connection-shares.ts';
import { Admission } from './pipeline/admission.ts';
import { combineReads } from './pipeline/combine.ts';
import { Connections, type ConnectionUse } from './pipeline/connections.ts';
import { PendingRead } from './pipeline/pending-read.ts';
import type { Read, ReadResult } from './pipeline/read.ts';
import { ReadBatch } from './pipeline/read-batch.ts';
import { ReadQueue } from './pipeline/read-queue.ts';
import type { Pool } from './pool.ts';
import type { RawClient } from './raw-batch/client.ts';

export { QUICK_CONNECTIONS } from './pipeline/connection-state.ts';

/** Runs reads. */
export interface Pipeline {
  /**
   * Runs a read. Rejects if its connection is lost, with the reason of a signal that aborted before the read was
   * written, with {@link PoolTimeoutError} if no connection becomes free in time, and with `QueueFullError` if too many
   * reads wait for a permit.
   */
  read(read: Read): Promise<ReadResult>;
}

/** Options of {@link openPipeline}. */
interface PipelineOptions {
  pool: Pool<RawClient>;
  /** Number of connections of the pool. */
  max: number;
  /** Maximum time that a read waits for a connection, in milliseconds. */
  timeoutMs: number;
  shares: ConnectionShares;
}

/** Opens a pipeline on the connections of a pool, which others may use as well. */
export function openPipeline({ pool, max, timeoutMs, shares }: PipelineOptions): Pipeline {
  const admission = new Admission(shares, enqueue);
  const queue = new ReadQueue(timeoutMs);
  const connections = new Connections({ pool, max, queue, start });
  const context = { shares, requeue };

  function enqueue(read: PendingRead): void {
    queue.push(read);
    connections.request();
  }

  /** Reads that were removed from a batch go to the front of the queue. */
  function requeue(reads: readonly PendingRead[]): void {
    queue.unshift(reads.filter((read) => admission.admit(read)));
    connections.request();
  }

  /** Returns the next queued read that may run. A read that is no longer quick waits for a permit. */
  function next(): PendingRead | undefined {
    let read = queue.shift();
    while (read !== undefined && !admission.admit(read)) read = queue.shift();
    return read;
  }

  function start(client: RawClient, use: ConnectionUse): Promise<void> | undefined {
    const first = next();
    if (first === undefined) return undefined;
    const reads = combineReads(first, queue, connections.coming);
    try {
      return new ReadBatch(client, reads, use, context).ended;
    } catch (error) {
      // One read cannot be written, which is an error of its caller. Rejecting all reads of the batch keeps any of them
      // from waiting forever.
      for (const read of reads) read.reject(error as Error);
      throw error;
    }
  }

  return {
    read(read) {
      const { signal } = read;
      if (signal?.aborted) return Promise.reject(signal.reason as Error);
      const pending = new PendingRead(read, performance.now() + timeoutMs);
      if (admission.admit(pending)) enqueue(pending);
      return pending.promise;
    },
  };
}
