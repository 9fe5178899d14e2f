/**
 * Reads of several requests in one write (PostgreSQL's documentation, "Pipelining"). As long as there are not many, each
 * read has a connection of its own. Where more are waiting, a connection that becomes free takes several that are known to
 * be quick, see {@link ./read-block.ts}: that saves both sides a wake-up for each, and under load those cost more than the
 * statements.
 *
 * Each read is a transaction of its own and none knows of another. One that is slow after all, or whose answer is taken
 * slowly, holds nobody up: the others are run once more elsewhere, which reads may be. So nothing that writes may come
 * here, and whatever might leave something behind in the session is for the next one to reset.
 *
 * A read that is not known to be quick takes a permit of its client first, see {@link ./connection-shares.ts}. One that
 * turns out to be slow takes it then; where none is free, it is cancelled and run once more when one is.
 */
import { availableParallelism } from 'node:os';
import {
  type ConnectionShares,
  type ReleaseShare,
  type ShareHolder,
  shareKeyOf,
} from './connection-shares.ts';
import { type Pool, PoolTimeoutError } from './pool.ts';
import { cancelUntilEnded } from './raw-batch/cancel.ts';
import type { CancelSignal } from './raw-batch/cancel-signal.ts';
import type { RawClient } from './raw-batch/client.ts';
import type { LargeRow } from './raw-batch/large-field.ts';
import type { RawStatement, SegmentResult } from './raw-batch/statement.ts';
import type { StatementLatency } from './raw-batch/statement-latency.ts';
import { runRawBatch, runRawParts } from './raw-batch.ts';
import { createReadBlock, type ReadBlock, type WrittenRead } from './read-block.ts';

/** Most reads in one write. */
const MOST_TOGETHER = 12;
/**
 * Quick reads ask for no more connections than this. What they need is a processor, and on more connections there would be
 * fewer of them in one write.
 */
export const QUICK_CONNECTIONS = Math.max(4, availableParallelism());
/** Reads that take so long together are run elsewhere, each by itself, in milliseconds. */
const PATIENCE_MS = 50;
const ROLLBACK: RawStatement = { text: 'rollback' };

/** A transaction that only reads. */
export interface Read {
  /** Its statements, for the connection that it will run on. May be asked for more than once. */
  write(client: RawClient): WrittenRead;
  /** Takes a large row, see `RawPart`. */
  onLargeRow?: (row: LargeRow) => void;
  /** Of its main statement. */
  latency: StatementLatency;
  /** When it aborts, what runs is cancelled. */
  signal?: CancelSignal | undefined;
  /** The client that it runs for. Without one, it needs no permit. */
  holder?: ShareHolder | undefined;
}

/** Where a read was run, and what became of it. */
export interface ReadResult {
  client: RawClient;
  result: SegmentResult;
}

/** Runs reads. */
export interface Pipeline {
  /**
   * Runs a read. Rejects when its connection is lost, with the reason of a signal that has aborted before it was written,
   * with {@link PoolTimeoutError} where no connection becomes free in time, and with `QueueFullError` where too many reads
   * wait for a permit.
   */
  read(read: Read): Promise<ReadResult>;
}

/** Options of {@link openPipeline}. */
interface PipelineOptions {
  pool: Pool<RawClient>;
  /** Connections of the pool. */
  max: number;
  /** How long a read waits for one. */
  timeoutMs: number;
  shares: ConnectionShares;
}

/** A read and who waits for it. */
class Entry {
  readonly read: Read;
  readonly until: number;
  /** The write that it is in; none while it waits. */
  run: Run | undefined;
  /** It has been in a write with one that is to blame, and may be that one. */
  isAlone = false;
  /** While it waits for a connection. */
  permit: ReleaseShare | undefined;
  readonly #settling = Promise.withResolvers<ReadResult>();

  constructor(read: Read, until: number) {
    this.read = read;
    this.until = until;
  }

  get promise(): Promise<ReadResult> {
    return this.#settling.promise;
  }

  /** Whether it may run on a connection of its own for any time. */
  get isPermitted(): boolean {
    const { holder, latency } = this.read;
    return holder === undefined || this.permit !== undefined || (latency.isQuick && !this.isAlone);
  }

  /** Gives its permit to the run that it becomes a part of. */
  takePermit(): ReleaseShare | undefined {
    const { permit } = this;
    this.permit = undefined;
    return permit;
  }

  resolve(result: ReadResult): void {
    this.#stopListening();
    this.#settling.resolve(result);
  }

  reject(error: Error): void {
    this.#stopListening();
    this.takePermit()?.();
    this.#settling.reject(error);
  }

  #stopListening(): void {
    if (this.read.signal !== undefined) this.read.signal.onabort = null;
  }
}

/** Opens a pipeline on the connections of a pool, which others may use, too. */
export function openPipeline({ pool, max, timeoutMs, shares }: PipelineOptions): Pipeline {
  let waiting: Entry[] = [];
  /** Connections that are asked for, or at work. */
  let asked = 0;
  /** Those at work. */
  let working = 0;
  /** Those at work on a read that is not quick. */
  let slow = 0;
  let isWatching = false;

  function read(wanted: Read): Promise<ReadResult> {
    const { signal } = wanted;
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    const entry = new Entry(wanted, performance.now() + timeoutMs);
    if (entry.isPermitted || mayKeepBusy(entry)) enqueue(entry);
    else void waitForPermit(entry);
    return entry.promise;
  }

  function enqueue(entry: Entry): void {
    listen(entry);
    waiting.push(entry);
    if (!isWatching) watch(timeoutMs);
    askForConnection();
  }

  function listen(entry: Entry): void {
    const { signal } = entry.read;
    const onAbort = () => abort(entry);
    if (signal !== undefined) signal.onabort = onAbort;
  }

  /** Takes a permit where one is free. */
  function mayKeepBusy(entry: Entry): boolean {
    const { holder } = entry.read;
    if (holder !== undefined) entry.permit = shares.tryAcquire(holder);
    return holder === undefined || entry.permit !== undefined;
  }

  async function waitForPermit(entry: Entry): Promise<void> {
    const { holder, signal } = entry.read;
    try {
      if (holder !== undefined) entry.permit = await shares.acquire(holder, signal);
    } catch (error) {
      entry.reject(error as Error);
      return;
    }
    if (signal?.aborted) entry.reject(signal.reason as Error);
    else enqueue(entry);
  }

  function askForConnection(): void {
    const [next] = waiting;
    if (next === undefined || asked === max) return;
    if (next.read.latency.isQuick && asked - slow >= QUICK_CONNECTIONS) return;
    asked += 1;
    let hasBegun = false;
    const work = (client: RawClient) => {
      hasBegun = true;
      return serve(client);
    };
    pool
      .use(work)
      .catch((error: Error) => {
        // Whoever was in a run has been told; whoever waits for too long is told in time.
        if (hasBegun || error instanceof PoolTimeoutError) return false;
        // Those at work will take who waits.
        if (working > 0) return true;
        for (const entry of takeAll()) entry.reject(error);
        return false;
      })
      .then((isRefused) => {
        asked -= 1;
        if (isRefused !== true) askForConnection();
      });
  }

  async function serve(client: RawClient): Promise<void> {
    working += 1;
    const entries = take();
    let run: Run | undefined;
    try {
      run = begin(client, entries);
      await run?.ended;
    } finally {
      working -= 1;
      if (run?.isSlow) slow -= 1;
    }
  }

  function begin(client: RawClient, entries: Entry[]): Run | undefined {
    if (entries.length === 0) return undefined;
    try {
      return new Run(client, entries, { giveBack, onSlow, shares });
    } catch (error) {
      // One of them cannot be written: a mistake of whoever asks for it, and nobody must wait for ever.
      for (const entry of entries) entry.reject(error as Error);
      throw error;
    }
  }

  /** Quick ones may have another connection in its place. */
  function onSlow(): void {
    slow += 1;
    askForConnection();
  }

  /** The next one. One that has not been quick since it came waits for a permit. */
  function takeNext(): Entry | undefined {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (next.isPermitted || mayKeepBusy(next)) return next;
      void waitForPermit(next);
    }
    return undefined;
  }

  /** The next ones, and of those that are quick as many as leave something for each connection that is on its way. */
  function take(): Entry[] {
    const first = takeNext();
    if (first === undefined) return [];
    const entries = [first];
    const coming = Math.max(0, asked - working - pool.waiting());
    const most = Math.min(MOST_TOGETHER, Math.ceil((waiting.length + 1) / (coming + 1)));
    if (!mayBeTogether(first)) return entries;
    while (entries.length < most) {
      const [next] = waiting;
      if (next === undefined || !mayBeTogether(next)) break;
      entries.push(next);
      waiting.shift();
    }
    return entries;
  }

  function takeAll(): Entry[] {
    const entries = waiting;
    waiting = [];
    return entries;
  }

  /** Those that have been taken out of a write come first. */
  function giveBack(entries: readonly Entry[]): void {
    const permitted: Entry[] = [];
    for (const entry of entries) {
      if (entry.isPermitted || mayKeepBusy(entry)) permitted.push(entry);
      else void waitForPermit(entry);
    }
    waiting.unshift(...permitted);
    askForConnection();
  }

  function abort(entry: Entry): void {
    if (entry.run !== undefined) {
      entry.run.abort(entry);
      return;
    }
    waiting = waiting.filter((each) => each !== entry);
    entry.reject(entry.read.signal?.reason as Error);
  }

  /** Looks for the overdue after a while. */
  function watch(ms: number): void {
    isWatching = true;
    setTimeout(refuseOverdue, ms).unref();
  }

  function refuseOverdue(): void {
    isWatching = false;
    const now = performance.now();
    const isOverdue = ({ until }: Entry) => until <= now;
    const refused = waiting.filter(isOverdue);
    waiting = waiting.filter((entry) => !isOverdue(entry));
    for (const entry of refused) {
      entry.reject(new PoolTimeoutError(`no connection has become free in ${timeoutMs} ms`));
    }
    const next = waiting.reduce((least, { until }) => Math.min(least, until), Number.POSITIVE_INFINITY);
    if (waiting.length > 0) watch(Math.ceil(next - now));
  }

  return { read };
}

function mayBeTogether({ read, isAlone }: Entry): boolean {
  return read.latency.isQuick && !isAlone;
}

/** What a run tells. */
interface RunEvents {
  /** These have to be run elsewhere. */
  giveBack(entries: readonly Entry[]): void;
  /** One of its reads is not quick; told once. */
  onSlow(): void;
  shares: ConnectionShares;
}

/** One write, until everything in it has ended. */
class Run {
  /** Never rejects because of a single read. */
  readonly ended: Promise<void>;
  /** One of its reads is not quick. */
  isSlow = false;
  readonly #client: RawClient;
  readonly #events: RunEvents;
  /** What was left behind in the session before: each of the reads resets it for itself. */
  readonly #hadChangedSettings: boolean;
  /** Of a read that is not quick. Returned when the connection is free. */
  #permit: ReleaseShare | undefined;
  /** The first read has been answered with a row that is still coming. */
  #isStreaming = false;
  /** The server has answered all of it: a cancel request would meet somebody else's. */
  #isAnswered = false;
  /** Those that wait for it, in the order in which they run. */
  #entries: Entry[];
  readonly #block: ReadBlock;
  readonly #begun = performance.now();
  readonly #patience: NodeJS.Timeout | undefined;
  /** Made when it is needed: hardly any read is cancelled, and all of them come by here. */
  #cancel: { end: AbortController; done: Promise<void> } | undefined;

  constructor(client: RawClient, entries: Entry[], events: RunEvents) {
    this.#client = client;
    this.#entries = entries;
    this.#events = events;
    for (const entry of entries) entry.run = this;
    this.#hadChangedSettings = client.hasChangedSettings;
    this.#block = createReadBlock(entries.map(({ read }) => read.write(client)));
    const [first, ...others] = entries;
    this.#permit = first?.takePermit();
    // They have turned out to be quick while they waited.
    for (const entry of others) entry.takePermit()?.();
    this.ended = this.#run();
    if (entries[0]?.read.latency.isQuick) this.#patience = this.#watch();
    else this.#becomeSlow();
  }

  /** Nobody waits for a read any more. One behind another is quick, and goes by. */
  abort(entry: Entry): void {
    if (this.#entries[0] !== entry) return;
    this.#release(this.#entries.splice(1));
    this.#stop();
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
      await this.#endCancel();
      if (this.#client.getTransactionStatus() !== 'I') await runRawBatch(this.#client, [[ROLLBACK]]);
    } catch (error) {
      const entries = this.#entries.splice(0);
      // Which of several has cost the connection is not known: by itself it will cost another one, and be told.
      if (entries.length > 1) this.#separate(entries);
      else entries[0]?.reject(error as Error);
      throw error;
    } finally {
      this.#isAnswered = true;
      this.#entries = [];
      clearTimeout(this.#patience);
      await this.#endCancel();
      this.#permit?.();
    }
  }

  /** Whatever is run next must not meet a cancel request. */
  async #endCancel(): Promise<void> {
    this.#cancel?.end.abort();
    await this.#cancel?.done;
  }

  #onEnd(result: SegmentResult): void {
    this.#isAnswered = true;
    const entries = this.#entries.splice(0);
    // Where one has failed, nobody knows how long the others would have taken.
    const tellsPace = result.failure === undefined && (entries.length === 1 || !this.isSlow);
    if (tellsPace) this.#recordLatencies(entries);
    const results = this.#block.resultsOf(result);
    // What a read has left behind in the session must not reach those behind it.
    const hasLeftSomething = this.#client.hasChangedSettings && !this.#hadChangedSettings;
    const told = hasLeftSomething ? 1 : results.length;
    for (const [i, entry] of entries.slice(0, told).entries()) {
      const own = results[i];
      if (own !== undefined) entry.resolve({ client: this.#client, result: own });
    }
    // Those behind a failure have not been run.
    this.#release(entries.slice(told));
  }

  /** Answers come at once: what is known is the share of each. */
  #recordLatencies(entries: readonly Entry[]): void {
    const ms = (performance.now() - this.#begun) / entries.length;
    for (const latency of latenciesOf(entries)) latency.record(ms);
  }

  #onLargeRow(row: LargeRow, statement: number): void {
    const [first] = this.#entries;
    if (first === undefined || statement !== this.#block.firstStreamed || !this.#mayBeSlow(first)) {
      // Whoever takes it may take their time: alone, then. Where the first one streams, it has been run elsewhere since.
      row.field.destroy();
      if (this.#isStreaming) this.#stop();
      else this.#giveUp();
      return;
    }
    this.#isStreaming = true;
    const others = this.#entries.splice(1);
    // They are run elsewhere, so that nobody waits for what is behind the row.
    if (others.length > 0) row.field.once('close', () => this.#stop());
    this.#release(others);
    this.#becomeSlow();
    row.field.client = shareKeyOf(first.read.holder);
    first.read.onLargeRow?.(row);
  }

  #watch(): NodeJS.Timeout {
    // What has come by then is read first: this process may be what was slow.
    return setTimeout(() => setImmediate(() => this.#look()), PATIENCE_MS);
  }

  #look(): void {
    const [first, ...others] = this.#entries;
    if (first === undefined || this.isSlow) return;
    if (others.length === 0 && this.#mayBeSlow(first)) {
      this.#becomeSlow();
      return;
    }
    for (const latency of latenciesOf(this.#entries)) latency.recordSlow();
    this.#giveUp();
  }

  /** Whether the client of a read may keep this connection busy. */
  #mayBeSlow({ read: { holder } }: Entry): boolean {
    if (holder === undefined || this.#permit !== undefined) return true;
    this.#permit = this.#events.shares.tryAcquire(holder);
    return this.#permit !== undefined;
  }

  /** Which of them is slow is not known: each is run by itself. */
  #giveUp(): void {
    this.#becomeSlow();
    this.#separate(this.#entries.splice(0));
    this.#stop();
  }

  #becomeSlow(): void {
    if (this.isSlow) return;
    this.isSlow = true;
    this.#events.onSlow();
  }

  #stop(): void {
    if (this.#cancel !== undefined || this.#isAnswered) return;
    const end = new AbortController();
    this.#cancel = { end, done: cancelUntilEnded(this.#client, end.signal) };
  }

  /** They are run elsewhere, each by itself. */
  #separate(entries: readonly Entry[]): void {
    for (const entry of entries) entry.isAlone = true;
    this.#release(entries);
  }

  /** They are run elsewhere, if anybody still waits for them. */
  #release(entries: readonly Entry[]): void {
    const others: Entry[] = [];
    for (const entry of entries) {
      const { signal } = entry.read;
      entry.run = undefined;
      if (signal?.aborted) entry.reject(signal.reason as Error);
      else others.push(entry);
    }
    if (others.length > 0) this.#events.giveBack(others);
  }
}

function latenciesOf(entries: readonly Entry[]): ReadonlySet<StatementLatency> {
  return new Set(entries.map(({ read }) => read.latency));
}
