/** Keeps a replication connection: opens it, and opens another one, after a pause, whenever it is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lsn } from './wal-message.ts';
import { openWalsender, type Walsender } from './walsender.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/** Options of {@link openStream}. */
export interface StreamOptions {
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
export interface Stream {
  isStreaming(): boolean;
  /** Which publications are streamed now. */
  publications(): readonly string[];
  acknowledge(lsn: Lsn): void;
  pause(): void;
  resume(): void;
  /** Drops the connection, so that the next one finds what is there now. */
  restart(): void;
  close(): Promise<void>;
}

/** Begins to open it. Never fails: `onLost` is told why it is not there yet. */
export function openStream(options: StreamOptions): Stream {
  const { firstPauseMs = FIRST_PAUSE_MS } = options;
  const closed = new AbortController();
  let current: Walsender | undefined;
  let isPaused = false;
  let restart = () => {};

  /** Resolves with the reason when the connection is over. */
  async function streamOnce(): Promise<{ reason: Error; hasStreamed: boolean }> {
    const lost = Promise.withResolvers<Error>();
    options.onStart();
    let opened: Walsender;
    try {
      opened = await openWalsender({ ...options, onLost: lost.resolve, signal: closed.signal });
    } catch (error) {
      return { reason: error as Error, hasStreamed: false };
    }
    current = opened;
    restart = () => lost.resolve(new Error('it is opened anew'));
    const stop = () => lost.resolve(new Error('it was closed'));
    closed.signal.addEventListener('abort', stop);
    if (isPaused) current.pause();
    if (closed.signal.aborted) stop();
    else options.onStreaming();
    const reason = await lost.promise;
    closed.signal.removeEventListener('abort', stop);
    current = undefined;
    await opened.close();
    return { reason, hasStreamed: true };
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closed.signal.aborted; failures += 1) {
      const { reason, hasStreamed } = await streamOnce();
      if (closed.signal.aborted) return;
      if (hasStreamed) failures = 0;
      const pauseMs = Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS);
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
    async close() {
      closed.abort();
      await running;
    },
  };
}
