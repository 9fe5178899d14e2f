/**
 * Stage 5 of the pipeline: runs reads in one flush on one connection, until all of them have ended. See
 * ./batch-state.ts for its states.
 */
import { type ConnectionShares, type ReleaseShare, shareKeyOf } from '../connection-shares.ts';
import type { RawClient } from '../raw-batch/client.ts';
import type { LargeRow } from '../raw-batch/large-field.ts';
import type { RawStatement, SegmentResult } from '../raw-batch/statement.ts';
import type { StatementLatency } from '../raw-batch/statement-latency.ts';
import { runRawBatch, runRawParts } from '../raw-batch.ts';
import { type BatchEffect, type BatchEvent, type BatchState, batchTransition } from './batch-state.ts';
import { Cancellation } from './cancellation.ts';
import type { ConnectionUse } from './connections.ts';
import type { PendingRead } from './pending-read.ts';
import { createReadBlock, type ReadBlock } from './read-block.ts';

/** A batch of quick reads that takes longer is split, in milliseconds. */
const OVERDUE_MS = 50;
const ROLLBACK: RawStatement = { text: 'rollback' };

/** Dependencies of every batch. */
interface BatchContext {
  shares: ConnectionShares;
  /** Called with reads that have to be run in another batch. */
  requeue(reads: readonly PendingRead[]): void;
}

/** Runs its reads on construction. The constructor throws if one of them cannot be written. */
export class ReadBatch {
  /** Rejects only if the connection is lost. */
  readonly ended: Promise<void>;
  #state: BatchState;
  readonly #client: RawClient;
  readonly #use: ConnectionUse;
  readonly #context: BatchContext;
  /** Whether an earlier batch had changed settings of the session. Each read resets them if necessary. */
  readonly #hadChangedSettings: boolean;
  /** Permit of a read that is not quick. Released when the connection is free. */
  #permit: ReleaseShare | undefined;
  /** Reads that have no result yet, in the order in which they run. */
  #reads: PendingRead[];
  readonly #block: ReadBlock;
  readonly #startedAt = performance.now();
  readonly #overdueTimer: NodeJS.Timeout | undefined;
  /** Created on demand, because all reads come through this class and hardly any is cancelled. */
  #cancellation: Cancellation | undefined;

  constructor(client: RawClient, reads: PendingRead[], use: ConnectionUse, context: BatchContext) {
    this.#client = client;
    this.#reads = reads;
    this.#use = use;
    this.#context = context;
    for (const read of reads) read.stage = this;
    this.#hadChangedSettings = client.hasChangedSettings;
    this.#block = createReadBlock(reads.map(({ read }) => read.write(client)));
    const [first, ...others] = reads;
    this.#permit = first?.takePermit();
    // The other reads have turned out to be quick while they waited.
    for (const read of others) read.takePermit()?.();
    this.#state = first?.read.latency.isQuick ? 'quick' : 'slow';
    this.ended = this.#run();
    if (this.#state === 'quick') this.#overdueTimer = this.#startOverdueTimer();
    else use.markSlow();
  }

  /** Cancels only the first read: the ones behind it are quick, and not worth a cancel request. */
  abort(read: PendingRead): void {
    if (this.#reads[0] === read) this.#send('abort');
  }

  async #run(): Promise<void> {
    const { statements, streamed } = this.#block;
    let result: SegmentResult | undefined;
    try {
      await runRawParts(this.#client, [
        {
          segments: [statements],
          streamed,
          onLargeRow: (row, statement) => this.#onLargeRow(row, statement),
          onEnd: ([ended]) => {
            result = ended;
          },
        },
      ]);
      if (result !== undefined) this.#onEnd(result);
      // The next batch must not be hit by a cancel request.
      if (this.#cancellation !== undefined) await this.#cancellation.end();
      if (this.#client.getTransactionStatus() !== 'I') await runRawBatch(this.#client, [[ROLLBACK]]);
    } catch (error) {
      this.#onLost(error as Error);
      throw error;
    } finally {
      this.#send('answered');
      this.#reads = [];
      clearTimeout(this.#overdueTimer);
      if (this.#cancellation !== undefined) await this.#cancellation.end();
      this.#permit?.();
    }
  }

  #onLost(error: Error): void {
    const reads = this.#reads.splice(0);
    // Any of several reads may have caused the loss of the connection. Run alone, that read causes another loss and is
    // rejected.
    if (reads.length > 1) this.#separate(reads);
    else reads[0]?.reject(error);
  }

  #onEnd(result: SegmentResult): void {
    const reads = this.#reads.splice(0);
    // A failure hides how long the other reads would have taken.
    const isMeasured = result.failure === undefined && (reads.length === 1 || this.#state === 'quick');
    this.#send('answered');
    if (isMeasured) this.#recordLatencies(reads);
    const results = this.#block.resultsOf(result);
    // Settings that a read has changed must not affect the reads behind it.
    const hasChangedSettings = this.#client.hasChangedSettings && !this.#hadChangedSettings;
    const completed = hasChangedSettings ? 1 : results.length;
    for (const [i, read] of reads.slice(0, completed).entries()) {
      const own = results[i];
      if (own !== undefined) read.resolve({ client: this.#client, result: own });
    }
    // The reads behind a failure have not been run.
    this.#release(reads.slice(completed));
  }

  /** Results of a batch arrive together, so each read is recorded with its share of the time. */
  #recordLatencies(reads: readonly PendingRead[]): void {
    const ms = (performance.now() - this.#startedAt) / reads.length;
    for (const latency of latenciesOf(reads)) latency.record(ms);
  }

  #onLargeRow(row: LargeRow, statement: number): void {
    const [first] = this.#reads;
    if (first === undefined || statement !== this.#block.firstStreamed || !this.#mayOccupy(first)) {
      row.field.destroy();
      this.#send('unexpected-row');
      return;
    }
    // The other reads are run elsewhere, because the caller of the first may receive its row slowly.
    const hasOthers = this.#reads.length > 1;
    this.#send('stream');
    // The statements behind the row belong to reads that have left the batch.
    if (hasOthers) row.field.once('close', () => this.#send('row-closed'));
    row.field.client = shareKeyOf(first.read.holder);
    first.read.onLargeRow?.(row);
  }

  #startOverdueTimer(): NodeJS.Timeout {
    // Responses that have arrived by then are read first, because this process may be the slow side.
    return setTimeout(() => setImmediate(() => this.#onOverdue()), OVERDUE_MS);
  }

  #onOverdue(): void {
    const [first] = this.#reads;
    if (first === undefined || this.#state !== 'quick') return;
    this.#send(this.#reads.length === 1 && this.#mayOccupy(first) ? 'overdue' : 'split');
  }

  /** Whether the client of a read may keep this connection busy. */
  #mayOccupy({ read: { holder } }: PendingRead): boolean {
    if (holder === undefined || this.#permit !== undefined) return true;
    this.#permit = this.#context.shares.tryAcquire(holder);
    return this.#permit !== undefined;
  }

  #send(event: BatchEvent): void {
    const { next, effects } = batchTransition(this.#state, event);
    this.#state = next;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: BatchEffect): void {
    switch (effect) {
      case 'record-slow':
        for (const latency of latenciesOf(this.#reads)) latency.recordSlow();
        break;
      case 'report-slow':
        this.#use.markSlow();
        break;
      case 'release-others':
        this.#release(this.#reads.splice(1));
        break;
      case 'separate-all':
        this.#separate(this.#reads.splice(0));
        break;
      case 'cancel':
        this.#cancellation ??= new Cancellation(this.#client);
    }
  }

  /** Gives reads back to the queue, each to be run alone. */
  #separate(reads: readonly PendingRead[]): void {
    for (const read of reads) read.mustRunAlone = true;
    this.#release(reads);
  }

  /** Gives reads back to the queue, and rejects those that were aborted meanwhile. */
  #release(reads: readonly PendingRead[]): void {
    const pending: PendingRead[] = [];
    for (const read of reads) {
      const { signal } = read.read;
      if (signal?.aborted) read.reject(signal.reason as Error);
      else pending.push(read);
    }
    if (pending.length > 0) this.#context.requeue(pending);
  }
}

function latenciesOf(reads: readonly PendingRead[]): ReadonlySet<StatementLatency> {
  return new Set(reads.map(({ read }) => read.latency));
}
