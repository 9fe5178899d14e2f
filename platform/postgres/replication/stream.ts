/**
 * The replication stream, logical or physical: keeps a connection open, and reconnects after a delay when it is lost. A
 * disconnected stream causes no work on the server. ./stream-state.ts has the life cycle.
 */
import { StateMachine } from '@greenroom/state-machine';
import { type StreamEffect, type StreamEvent, type StreamState, streamTransition } from './stream-state.ts';
import type { Lsn } from './wal-message.ts';
import { Walsender, type WalsenderSource } from './walsender.ts';

const INITIAL_DELAY_MS = 100;
const MAX_DELAY_MS = 10_000;

/** Options of {@link ReplicationStream}. */
interface StreamOptions {
  source: WalsenderSource;
  /** Interval of status updates in milliseconds. */
  statusEveryMs: number;
  /** Called before a connection is opened. Descriptions of relations from the previous one are invalid then. */
  onOpening: () => void;
  /** As `onData` of a {@link Walsender}. */
  onData: (data: Buffer, message: Buffer) => void;
  onIdle: (end: Lsn) => void;
  onStreaming: () => void;
  /**
   * Called if a connection was lost or could not be opened, except after `disconnect`. The next one opens after
   * `pauseMs`.
   */
  onLost: (error: Error, pauseMs: number) => void;
}

/** Starts to connect on construction. It does not throw: `onLost` reports why there is no connection. */
export class ReplicationStream {
  readonly #options: StreamOptions;
  readonly #machine: StateMachine<StreamState, StreamEvent, StreamEffect>;
  #walsender: Walsender | undefined;
  /** Whether the owner wants the server to wait, now and on the next connection. */
  #isPaused = false;
  /** Failed attempts since the last streaming connection. */
  #failures = 0;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#machine = new StateMachine({
      initial: 'opening',
      transition: streamTransition,
      run: (effect) => this.#run(effect),
    });
    this.#open();
  }

  /** Permits the server to remove the log before `lsn`. */
  acknowledge(lsn: Lsn): void {
    this.#walsender?.acknowledge(lsn);
  }

  /** Stops reading, so that the server has to wait (backpressure). */
  pause(): void {
    this.#isPaused = true;
    this.#walsender?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#walsender?.resume();
  }

  /** Replaces a streaming connection. The new one starts as the source determines then. */
  restart(): void {
    this.#machine.send({ type: 'restart' });
  }

  /** Closes the connection until `connect`, without a report to `onLost`. */
  disconnect(): void {
    this.#machine.send({ type: 'disconnect' });
  }

  connect(): void {
    this.#machine.send({ type: 'connect' });
  }

  /** Resolves when the connection has ended. */
  async close(): Promise<void> {
    this.#machine.send({ type: 'close' });
    await this.#machine.waitFor((state) => state === 'closed');
  }

  #open(): void {
    const { source, statusEveryMs, onData, onIdle, onOpening } = this.#options;
    onOpening();
    this.#walsender = new Walsender({
      source,
      statusEveryMs,
      onData,
      onIdle,
      onStreaming: () => {
        if (this.#isPaused) this.#walsender?.pause();
        this.#machine.send({ type: 'opened' });
      },
      onEnded: (reason) => {
        this.#walsender = undefined;
        this.#machine.send({ type: 'ended', reason });
      },
    });
  }

  #run(effect: StreamEffect): void {
    switch (effect.type) {
      case 'open':
        this.#open();
        break;
      case 'close-connection':
        this.#walsender?.close();
        break;
      case 'cancel-retry':
        clearTimeout(this.#retryTimer);
        break;
      case 'report-streaming':
        this.#failures = 0;
        this.#options.onStreaming();
        break;
      case 'retry-later': {
        const pauseMs = Math.min(INITIAL_DELAY_MS * 2 ** this.#failures, MAX_DELAY_MS);
        this.#failures += 1;
        this.#retryTimer = setTimeout(() => this.#machine.send({ type: 'retry' }), pauseMs);
        this.#options.onLost(effect.reason, pauseMs);
      }
    }
  }
}
