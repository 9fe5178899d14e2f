/**
 * One replication connection. It receives the log and sends status updates. ./walsender-state.ts
 * has its life cycle, and ./stream.ts reconnects after a loss.
 */

import { StateMachine } from '@greenroom/state-machine';
import type pg from 'pg';
import { type Lsn, readWalMessage, writeStatusUpdate } from './wal-message.ts';
import {
  type WalsenderEffect,
  type WalsenderEvent,
  type WalsenderState,
  walsenderTransition,
} from './walsender-state.ts';

const CLOSE_TIMEOUT_MS = 2000;
/** The connection counts as lost after this many status updates without an answer, which normally comes at once. */
const MISSED_REPLIES = 3;
/** Bytes that one read of a socket takes at most: after such a read, the socket may have more. */
const FULL_READ_BYTES = 64 * 1024;

/** The source of a stream: its client, and the command that starts it. */
export interface WalsenderSource {
  /** Returns a new client that is not connected. */
  createClient(): pg.Client;
  /** Starts replication on a connected client. Resolves when the server ends the stream; rejects if it cannot start. */
  start(client: pg.Client): Promise<void>;
}

/** Options of {@link Walsender}. */
interface WalsenderOptions {
  source: WalsenderSource;
  /** Called when the stream begins: changes committed from now on will be received. Not called if opening fails. */
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
  /** As `restMs` of a physical stream. */
  restMs?: number | undefined;
}

/** Undocumented parts of pg's connection. */
interface WireConnection {
  stream: { readonly bytesRead: number; pause(): void; resume(): void; destroy(): void };
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', listener: () => void): void;
  end(): void;
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
  /** Bytes that the socket had received when the size of its last read was checked. */
  #checkedBytes = 0;
  #checksRead = false;
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
    this.#connection.once('replicationStart', () => this.#machine.send({ type: 'started' }));
    this.#connection.on('copyData', ({ chunk }) => this.#receive(chunk));
    void this.#open();
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

  async #open(): Promise<void> {
    try {
      await this.#client.connect();
      await this.#options.source.start(this.#client);
      throw new Error('the server has ended the stream');
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
      case 'wake-later':
        clearTimeout(this.#restTimer);
        this.#restTimer = setTimeout(() => this.#machine.send({ type: 'wake' }), this.#options.restMs);
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
    if (this.#options.restMs !== undefined) this.#checkRead();
    try {
      const message = readWalMessage(chunk);
      if (message?.kind === 'data') this.#options.onData(message.data, chunk);
      if (message?.kind !== 'keepalive') return;
      this.#options.onIdle(message.end);
      if (message.isReplyRequested) this.#sendStatus(false);
    } catch (error) {
      this.#machine.send({ type: 'failed', reason: error as Error });
    }
  }

  /** Lets the socket rest after a read that took all it had. One read can contain many messages. */
  #checkRead(): void {
    if (this.#checksRead) return;
    this.#checksRead = true;
    setImmediate(() => {
      this.#checksRead = false;
      const { bytesRead } = this.#connection.stream;
      const isFull = bytesRead - this.#checkedBytes >= FULL_READ_BYTES;
      this.#checkedBytes = bytesRead;
      if (!isFull) this.#machine.send({ type: 'rest' });
    });
  }

  /** Sends a status update, or fails after a long silence. A paused connection receives nothing, so it never fails. */
  #sendStatusOrFail(): void {
    const silentMs = performance.now() - this.#lastReceivedAt;
    if (this.#machine.state === 'streaming' && silentMs > this.#options.statusEveryMs * MISSED_REPLIES) {
      this.#machine.send({ type: 'failed', reason: new Error('the server stopped responding') });
    } else this.#sendStatus(true);
  }

  #sendStatus(isReplyRequested: boolean): void {
    if (this.#machine.state === 'ended') return;
    this.#connection.sendCopyFromChunk(writeStatusUpdate(this.#acknowledged, Date.now(), isReplyRequested));
  }
}
