/**
 * Keeps a replication connection: opens it, and opens another one, after a pause, whenever it is lost. While it rests there
 * is none, and the server does not decode its log for nobody.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lsn } from './wal-message.ts';
import { openWalsender, type Walsender } from './walsender.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Options of {@link openStream}. */
interface StreamOptions {
  url: string;
  publications: readonly string[];
  /** How often the server is told how far we are, in milliseconds. */
  statusEveryMs: number;
  /** A connection is about to stream: what is known from the last one does not hold any more. */
  onStart: () => void;
  onData: (data: Buffer) => void;
  onIdle: (end: Lsn) => void;
  onStreaming: () => void;
  /** Lost, or could not be opened; after `pauseMs` it is tried again. */
  onLost: (error: Error, pauseMs: number) => void;
  /** The first pause, in milliseconds; each further one is twice as long. A tenth of a second if not given. */
  firstPauseMs?: number;
}

/** A stream that comes back. */
interface Stream {
  isStreaming(): boolean;
  /** Which publications are streamed now. */
  publications(): readonly string[];
  acknowledge(lsn: Lsn): void;
  pause(): void;
  resume(): void;
  /** Drops the connection, so that the next one finds what is there now. */
  restart(): void;
  /** Drops the connection until `wake`. Nothing is lost by that, so nobody is told. */
  rest(): void;
  wake(): void;
  close(): Promise<void>;
}

/** Begins to open it. Never fails: `onLost` is told why it is not there yet. */
export function openStream(options: StreamOptions): Stream {
  const { firstPauseMs = FIRST_PAUSE_MS } = options;
  const closed = new AbortController();
  let current: Walsender | undefined;
  let isPaused = false;
  let restart = () => {};
  /** Aborted while it rests. */
  let resting = new AbortController();
  let woken = Promise.withResolvers<void>();

  /** Resolves with the reason when the connection is over; none where it was to rest. */
  async function streamOnce(): Promise<{ reason: Error | undefined; hasStreamed: boolean }> {
    const lost = Promise.withResolvers<Error>();
    const rest = resting.signal;
    const signal = AbortSignal.any([closed.signal, rest]);
    options.onStart();
    let opened: Walsender;
    try {
      opened = await openWalsender({ ...options, onLost: lost.resolve, signal });
    } catch (error) {
      return { reason: rest.aborted ? undefined : (error as Error), hasStreamed: false };
    }
    current = opened;
    restart = () => lost.resolve(new Error('it is opened anew'));
    const stop = () => lost.resolve(new Error('it was closed'));
    signal.addEventListener('abort', stop);
    if (isPaused) current.pause();
    if (signal.aborted) stop();
    else options.onStreaming();
    const reason = await lost.promise;
    signal.removeEventListener('abort', stop);
    current = undefined;
    await opened.close();
    return { reason: rest.aborted ? undefined : reason, hasStreamed: true };
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!closed.signal.aborted) {
      const { reason, hasStreamed } = await streamOnce();
      if (closed.signal.aborted) return;
      if (hasStreamed) failures = 0;
      if (reason === undefined) {
        await woken.promise;
        continue;
      }
      const pauseMs = Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      options.onLost(reason, pauseMs);
      await sleep(pauseMs, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    isStreaming: () => current !== undefined,
    publications: () => current?.publications ?? [],
    acknowledge: (lsn) => current?.acknowledge(lsn),
    pause() {
      isPaused = true;
      current?.pause();
    },
    resume() {
      isPaused = false;
      current?.resume();
    },
    restart: () => restart(),
    rest() {
      if (resting.signal.aborted) return;
      woken = Promise.withResolvers();
      resting.abort();
    },
    wake() {
      if (!resting.signal.aborted) return;
      resting = new AbortController();
      woken.resolve();
    },
    async close() {
      closed.abort();
      woken.resolve();
      await running;
    },
  };
}
