/**
 * One replication connection. It receives the log and sends status updates. ./walsender-state.ts
 * has its life cycle, and ./stream.ts reconnects after a loss.
 */

import { StateMachine } from '@greenroom/state-machine';
import type pg from 'pg';
import { isEndOfLog, type Lsn, readWalMessage, writeStatusUpdate } from './wal-message.ts';
import {
  type WalsenderEffect,
  type WalsenderEvent,
  type WalsenderState,
  walsenderTransition,
} from './walsender-state.ts';

const CLOSE_TIMEOUT_MS = 2000;
/** The connection counts as lost after this many status updates without an answer, which normally comes at once. */
const MISSED_REPLIES = 3;
/** States in which the server answers. */
const ANSWERED: ReadonlySet<WalsenderState> = new Set(['streaming', 'finishing', 'restarting']);

/** The source of a stream: its client, and the command that starts it. */
export interface WalsenderSource {
  /** Returns a new client that is not connected. */
  createClient(): pg.Client;
  /** Starts replication on a connected client. Resolves when the server ends the stream; rejects if it cannot start. */
  start(client: pg.Client): Promise<void>;
  /**
   * Present if the stream rests whenever all of the log was received: the server ends it for some milliseconds. On a busy server,
   * each transaction would wake the server's process and this one otherwise.
   */
  rest?: {
    ms: number;
    /** Like `start`, from the end of the received log on. */
    restart(client: pg.Client): Promise<void>;
  };
}

/** Options of {@link Walsender}. */
interface WalsenderOptions {
  source: WalsenderSource;
  /**
   * Called when the stream begins, also after a rest: changes committed from now on will be received. Not called if opening
   * fails.
   */
  onStreaming: () => void;
  /**
   * Called with a part of the log, or a message of the plugin, and the message that contains it ({@link readWalStart}).
   * Both are valid until the call returns. An error thrown by it ends the connection.
   */
  onData: (data: Buffer, message: Buffer) => void;
  /** Called when the server has sent every change before this position. */
  onIdle: (end: Lsn) => void;
  /** Called exactly once: if opening failed, if the connection was lost, or without a reason after `close`. */
  onEnded: (reason: Error | undefined) => void;
  /** Interval of status updates in milliseconds; below the server's `wal_sender_timeout`. */
  statusEveryMs: number;
}

/** Undocumented parts of pg's connection. */
interface WireConnection {
  stream: { pause(): void; resume(): void; destroy(): void };
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  on(event: 'replicationStart', listener: () => void): void;
  end(): void;
  endCopyFrom(): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

/** Starts to connect on construction. */
export class Walsender {
  readonly #options: WalsenderOptions;
  readonly #client: pg.Client;
  readonly #connection: WireConnection;
  readonly #machine: StateMachine<WalsenderState, WalsenderEvent, WalsenderEffect>;
  #acknowledged: Lsn = 0n;
  #lastReceivedAt = 0;
  #statusTimer: NodeJS.Timeout | undefined;
  #closeTimer: NodeJS.Timeout | undefined;
  #restTimer: NodeJS.Timeout | undefined;

  constructor(options: WalsenderOptions) {
    this.#options = options;
    this.#client = options.source.createClient();
    this.#connection = (this.#client as unknown as { connection: WireConnection }).connection;
    this.#machine = new StateMachine({
      initial: 'opening',
      transition: walsenderTransition,
      run: (effect) => this.#run(effect),
    });
    this.#client.on('error', (reason) => this.#machine.send({ type: 'failed', reason }));
    this.#client.on('end', () => this.#machine.send({ type: 'disconnected' }));
    this.#connection.on('replicationStart', () => this.#machine.send({ type: 'started' }));
    this.#connection.on('copyData', ({ chunk }) => this.#receive(chunk));
    void this.#stream(async () => {
      await this.#client.connect();
      await options.source.start(this.#client);
    });
  }

  /** Permits the server to remove the log before `lsn`. The next status update sends this. */
  acknowledge(lsn: Lsn): void {
    if (lsn > this.#acknowledged) this.#acknowledged = lsn;
  }

  /** Stops reading while it streams, so that the server has to wait (backpressure). */
  pause(): void {
    this.#machine.send({ type: 'pause' });
  }

  resume(): void {
    this.#machine.send({ type: 'resume' });
  }

  /** Ends the connection. `onEnded` is called after the server has closed its side and dropped a temporary slot. */
  close(): void {
    this.#machine.send({ type: 'close' });
  }

  /** @param start resolves when the server ends the stream */
  async #stream(start: () => Promise<void>): Promise<void> {
    try {
      await start();
      this.#machine.send({ type: 'finished' });
    } catch (error) {
      this.#machine.send({ type: 'failed', reason: error as Error });
    }
  }

  #run(effect: WalsenderEffect): void {
    switch (effect.type) {
      case 'start-status':
        this.#lastReceivedAt = performance.now();
        this.#statusTimer = setInterval(() => this.#sendStatusOrFail(), this.#options.statusEveryMs);
        break;
      case 'stop-timers':
        clearInterval(this.#statusTimer);
        clearTimeout(this.#closeTimer);
        clearTimeout(this.#restTimer);
        break;
      case 'pause-socket':
        this.#connection.stream.pause();
        break;
      case 'resume-socket':
        // Nothing could be received while the socket was paused.
        this.#lastReceivedAt = performance.now();
        this.#connection.stream.resume();
        break;
      case 'finish':
        // The timer of status updates would rather fire during a rest.
        this.#sendStatus(false);
        this.#connection.endCopyFrom();
        break;
      case 'wake-later':
        this.#restTimer = setTimeout(
          () => this.#machine.send({ type: 'wake' }),
          this.#options.source.rest?.ms,
        );
        break;
      case 'restart':
        this.#lastReceivedAt = performance.now();
        void this.#stream(async () => this.#options.source.rest?.restart(this.#client));
        break;
      case 'terminate':
        this.#closeTimer = setTimeout(() => this.#machine.send({ type: 'close-timeout' }), CLOSE_TIMEOUT_MS);
        this.#connection.end();
        break;
      case 'destroy':
        // Terminating would wait for a server that may be gone.
        this.#connection.stream.destroy();
        break;
      case 'report-streaming':
        this.#options.onStreaming();
        break;
      case 'report-ended':
        this.#options.onEnded(effect.reason);
    }
  }

  #receive(chunk: Buffer): void {
    const { state } = this.#machine;
    if (state === 'closing' || state === 'ended') return;
    this.#lastReceivedAt = performance.now();
    try {
      const message = readWalMessage(chunk);
      if (message?.kind === 'data') {
        this.#options.onData(message.data, chunk);
        if (this.#options.source.rest && isEndOfLog(chunk)) this.#machine.send({ type: 'rest' });
      }
      if (message?.kind !== 'keepalive') return;
      this.#options.onIdle(message.end);
      // After the end of the stream, an update would end the connection.
      if (message.isReplyRequested && state !== 'finishing') this.#sendStatus(false);
    } catch (error) {
      this.#machine.send({ type: 'failed', reason: error as Error });
    }
  }

  /** Sends a status update, or fails after a long silence. A paused connection receives nothing, so it never fails. */
  #sendStatusOrFail(): void {
    const silentMs = performance.now() - this.#lastReceivedAt;
    const { state } = this.#machine;
    if (ANSWERED.has(state) && silentMs > this.#options.statusEveryMs * MISSED_REPLIES) {
      this.#machine.send({ type: 'failed', reason: new Error('the server stopped responding') });
    } else if (state === 'streaming' || state === 'paused') this.#sendStatus(true);
  }

  #sendStatus(isReplyRequested: boolean): void {
    this.#connection.sendCopyFromChunk(writeStatusUpdate(this.#acknowledged, Date.now(), isReplyRequested));
  }
}
