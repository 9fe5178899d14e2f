/**
 * Reads of several requests in one write (PostgreSQL's documentation, "Pipelining"). As long as there are not many, each
 * read has a connection of its own. Where more are waiting, a connection that becomes free takes several that are known to
 * be quick: that saves both sides a wake-up for each, and under load those cost more than the statements.
 *
 * Each read is a transaction of its own and none knows of another. One that is slow after all, or whose answer is taken
 * slowly, holds nobody up: those behind it are run once more elsewhere, which reads may be. So nothing that writes may come
 * here, and whatever might leave something behind in the session is for the next one to reset.
 */
import { availableParallelism } from 'node:os';
import { type Pool, PoolTimeoutError } from './pool.ts';
import type { RawClient } from './raw-batch/client.ts';
import type { LargeRow } from './raw-batch/large-field.ts';
import type { Pace } from './raw-batch/pace.ts';
import {
  cancelUntilEnded,
  type RawPart,
  type RawStatement,
  runRawParts,
  type SegmentResult,
} from './raw-batch.ts';

/** Most reads in one write. */
const MOST_TOGETHER = 8;
/**
 * Quick reads ask for no more connections than this. What they need is a processor, and on more connections there would be
 * fewer of them in one write.
 */
export const QUICK_CONNECTIONS = Math.max(4, availableParallelism());
/** Those behind a read that takes so long are run elsewhere, in milliseconds. */
const PATIENCE_MS = 20;

/** A transaction that only reads. */
export interface Read {
  /** The statements of its one segment, for the connection that it will run on. May be asked for more than once. */
  write(client: RawClient): { statements: readonly RawStatement[]; streamed?: number };
  /** See {@link RawPart}. */
  onLargeRow?: (row: LargeRow) => void;
  /** Of its main statement. */
  pace: Pace;
  /** When it aborts, what runs is cancelled. */
  signal?: AbortSignal | undefined;
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
   * and with {@link PoolTimeoutError} where no connection becomes free in time.
   */
  read(read: Read): Promise<ReadResult>;
}

/** Options of {@link openPipeline}. */
export interface PipelineOptions {
  pool: Pool<RawClient>;
  /** Connections of the pool. */
  max: number;
  /** How long a read waits for one. */
  timeoutMs: number;
}

/** A read and who waits for it. */
interface Entry {
  read: Read;
  /** The write that it is in; none while it waits. */
  run: Run | undefined;
  /** It has been taken away from behind another one, once. */
  isAlone: boolean;
  until: number;
  resolve: (result: ReadResult) => void;
  reject: (error: Error) => void;
}

/** Opens a pipeline on the connections of a pool, which others may use, too. */
export function openPipeline({ pool, max, timeoutMs }: PipelineOptions): Pipeline {
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
    return new Promise((resolve, reject) => {
      const onAbort = () => abort(entry);
      const settled = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          signal?.removeEventListener('abort', onAbort);
          settle(value);
        };
      };
      const until = performance.now() + timeoutMs;
      const entry: Entry = {
        read: wanted,
        run: undefined,
        isAlone: false,
        until,
        resolve: settled(resolve),
        reject: settled(reject),
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(entry);
      askForConnection();
    });
  }

  function askForConnection(): void {
    const [next] = waiting;
    if (next === undefined || asked === max) return;
    if (next.read.pace.isQuick && asked - slow >= QUICK_CONNECTIONS) return;
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
        if (!hasBegun && !(error instanceof PoolTimeoutError))
          for (const entry of takeAll()) entry.reject(error);
      })
      .finally(() => {
        asked -= 1;
        askForConnection();
      });
    if (!isWatching) watch(timeoutMs);
  }

  async function serve(client: RawClient): Promise<void> {
    working += 1;
    const entries = take();
    const run = entries.length === 0 ? undefined : new Run(client, entries, { giveBack, onSlow });
    try {
      await run?.ended;
    } finally {
      working -= 1;
      if (run?.isSlow) slow -= 1;
    }
  }

  /** Quick ones may have another connection in its place. */
  function onSlow(): void {
    slow += 1;
    askForConnection();
  }

  /** The next ones, and of those that are quick as many as leave something for each connection that is on its way. */
  function take(): Entry[] {
    const first = waiting.shift();
    if (first === undefined) return [];
    const entries = [first];
    const coming = Math.max(0, asked - working - pool.waiting());
    const most = Math.min(MOST_TOGETHER, Math.ceil((waiting.length + 1) / (coming + 1)));
    let last: Entry | undefined = first;
    while (entries.length < most && last !== undefined && mayBeFollowed(last)) {
      last = waiting.shift();
      if (last !== undefined) entries.push(last);
    }
    return entries;
  }

  function takeAll(): Entry[] {
    const entries = waiting;
    waiting = [];
    return entries;
  }

  /** Those that have been taken away from behind another one come first. */
  function giveBack(entries: readonly Entry[]): void {
    waiting.unshift(...entries);
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

function mayBeFollowed({ read, isAlone }: Entry): boolean {
  return read.pace.isQuick && !isAlone;
}

/** What a run tells. */
interface RunEvents {
  /** These have to be run elsewhere. */
  giveBack(entries: readonly Entry[]): void;
  /** One of its reads is not quick; told once. */
  onSlow(): void;
}

/** One write, until everything in it has ended. */
class Run {
  /** Never rejects because of a single read. */
  readonly ended: Promise<void>;
  /** One of its reads is not quick. */
  isSlow = false;
  readonly #client: RawClient;
  readonly #events: RunEvents;
  /** Those that wait for it, the one that runs first. */
  #entries: Entry[];
  readonly #begun = performance.now();
  readonly #count: number;
  /** All of them run one statement. */
  readonly #isAlike: boolean;
  #hasEnded = false;
  /** Since when the first one of those that wait has been running. */
  #turn = this.#begun;
  #patience: NodeJS.Timeout | undefined;
  /** Made when it is needed: hardly any read is cancelled, and all of them come by here. */
  #cancel: { end: AbortController; done: Promise<void> } | undefined;

  constructor(client: RawClient, entries: Entry[], events: RunEvents) {
    this.#client = client;
    this.#entries = entries;
    this.#events = events;
    this.#count = entries.length;
    this.#isAlike = entries.every(({ read }) => read.pace === entries[0]?.read.pace);
    for (const entry of entries) entry.run = this;
    this.ended = this.#run(entries.map((entry) => this.#partOf(entry)));
    if (entries[0]?.read.pace.isQuick) this.#watch(PATIENCE_MS);
    else this.#becomeSlow();
  }

  /** Nobody waits for a read any more. One that is not its turn yet is quick, and goes by. */
  abort(entry: Entry): void {
    if (this.#entries[0] !== entry) return;
    this.#letOthersGo();
    if (this.#cancel !== undefined) return;
    const end = new AbortController();
    this.#cancel = { end, done: cancelUntilEnded(this.#client, end.signal) };
  }

  async #run(parts: RawPart[]): Promise<void> {
    try {
      await runRawParts(this.#client, parts);
    } catch (error) {
      const [current] = this.#entries;
      this.#letOthersGo();
      current?.reject(error as Error);
      throw error;
    } finally {
      this.#entries = [];
      clearTimeout(this.#patience);
      this.#cancel?.end.abort();
      // The connection is given back only then, so that a cancel request cannot meet somebody else's query.
      await this.#cancel?.done;
    }
  }

  #partOf(entry: Entry): RawPart {
    const { statements, streamed } = entry.read.write(this.#client);
    return {
      segments: [statements],
      streamed,
      onLargeRow: entry.read.onLargeRow && ((row) => this.#onLargeRow(entry, row)),
      onEnd: ([result]) => {
        // The others have gone elsewhere.
        if (result !== undefined && this.#entries[0] === entry) this.#onEnd(entry, result);
      },
    };
  }

  #onEnd(entry: Entry, result: SegmentResult): void {
    const now = performance.now();
    this.#turn = now;
    this.#entries.shift();
    this.#notePace(entry.read.pace, now);
    entry.resolve({ client: this.#client, result });
    // What has been left behind in the session must not reach the next ones.
    if (this.#client.hasChangedSettings) this.#giveBackAll();
    const [next] = this.#entries;
    if (next?.read.signal?.aborted) this.abort(next);
  }

  /** Several answers may come at once: what tells something is the first one, or all of them where they are alike. */
  #notePace(pace: Pace, now: number): void {
    const isFirst = !this.#hasEnded;
    this.#hasEnded = true;
    if (this.#count === 1 || !this.#isAlike) {
      if (isFirst) pace.note(now - this.#begun);
    } else if (this.#entries.length === 0 && !this.isSlow) {
      pace.note((now - this.#begun) / this.#count);
    }
  }

  #onLargeRow(entry: Entry, row: LargeRow): void {
    // Whoever takes it may take their time.
    if (this.#entries[0] !== entry) {
      row.field.destroy();
      return;
    }
    this.#letOthersGo();
    this.#becomeSlow();
    entry.read.onLargeRow?.(row);
  }

  #watch(ms: number): void {
    // What has come by then is read first: this process may be what was slow.
    this.#patience = setTimeout(() => setImmediate(() => this.#look()), ms);
  }

  #look(): void {
    const [current] = this.#entries;
    if (current === undefined || this.isSlow) return;
    const left = this.#turn + PATIENCE_MS - performance.now();
    if (left > 0) {
      this.#watch(left);
      return;
    }
    if (this.#entries.length > 1) current.read.pace.noteSlow();
    this.#letOthersGo();
    this.#becomeSlow();
  }

  #becomeSlow(): void {
    if (this.isSlow) return;
    this.isSlow = true;
    this.#events.onSlow();
  }

  /** All but the one that runs are run elsewhere. */
  #letOthersGo(): void {
    this.#release(this.#entries.splice(1));
  }

  #giveBackAll(): void {
    this.#release(this.#entries.splice(0));
  }

  #release(entries: Entry[]): void {
    for (const entry of entries) {
      entry.run = undefined;
      entry.isAlone = true;
    }
    const aborted = entries.filter(({ read }) => read.signal?.aborted);
    for (const { read, reject } of aborted) reject(read.signal?.reason as Error);
    const others = entries.filter(({ read }) => !read.signal?.aborted);
    if (others.length > 0) this.#events.giveBack(others);
  }
}
