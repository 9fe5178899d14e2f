/**
 * The feed's connection to the write-ahead log. It runs the life cycle of ./life-cycle.ts: opens and closes the
 * replication stream, counts its users and reports the status. Changes do not pass through the life cycle but go
 * directly to `onData`.
 */
import type { Logger } from '@greenroom/log';
import { type Lsn, ReplicationStream } from '@greenroom/postgres';
import { StateMachine } from '@greenroom/state-machine';
import type { FeedDatabase } from './database.ts';
import type { FeedStatus } from './feed.ts';
import { type FeedEffect, type FeedEvent, type FeedState, feedTransition } from './life-cycle.ts';
import { ReferenceCount } from './reference-count.ts';
import { createFeedClient, findPublications, streamFromNewSlot } from './replication/commands.ts';
import { PUBLICATION } from './subscriptions/catalog.ts';

const MESSAGES_PUBLICATION = 'supabase_realtime_messages_publication';

/** Options of {@link FeedConnection}. */
interface FeedConnectionOptions {
  replicationUrl: string;
  database: FeedDatabase;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Interval of status updates and of checks of the publication, in milliseconds. */
  statusEveryMs: number;
  /** The feed is suspended after this time without a user, in milliseconds; never if undefined. */
  suspendAfterMs: number | undefined;
  /** Called before a connection is opened. */
  onOpening: () => void;
  onData: (data: Buffer) => void;
  /** Called when the server has sent every change before this position. */
  onIdle: (end: Lsn) => void;
  /** Called when positions of the previous connection become invalid. */
  onPositionsInvalid: () => void;
  /** Called when the status changes. It must not throw. */
  onStatus: (status: FeedStatus) => void;
  /** Called once when the feed is closed. */
  onClosed: () => void;
}

/** Starts to connect on construction. Errors of the database never reach the caller; the connection is retried. */
export class FeedConnection {
  readonly #options: FeedConnectionOptions;
  readonly #machine: StateMachine<FeedState, FeedEvent, FeedEffect>;
  readonly #references: ReferenceCount;
  readonly #stream: ReplicationStream;
  readonly #publicationTimer: NodeJS.Timeout;
  /** The publications that the newest connection streams. */
  #publications: readonly string[] = [];

  constructor(options: FeedConnectionOptions) {
    this.#options = options;
    this.#machine = new StateMachine({
      initial: 'connecting',
      transition: feedTransition,
      run: (effect) => this.#run(effect),
    });
    this.#references = new ReferenceCount({
      idleAfterMs: options.suspendAfterMs,
      onAcquire: () => this.#machine.send('acquired'),
      onIdle: () => this.#machine.send('idle'),
    });
    this.#stream = this.#openStream();
    this.#publicationTimer = setInterval(() => this.restartIfStale(), options.statusEveryMs);
  }

  get isClosed(): boolean {
    return this.#machine.state === 'closed';
  }

  /** Keeps the feed from being suspended until the returned function is called. */
  acquire(): () => void {
    return this.#references.acquire();
  }

  /** While the feed resumes, returns a promise that resolves when the attempt succeeds or fails. */
  waitUntilResumed(): Promise<void> | undefined {
    if (this.#machine.state !== 'resuming') return undefined;
    return this.#machine.waitFor((state) => state !== 'resuming').then(() => undefined);
  }

  /**
   * Resolves when the feed streams, and keeps it from being suspended meanwhile. Rejects with the reason of the signal,
   * or when it is closed.
   */
  async waitUntilStreaming(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const release = this.acquire();
    try {
      const reached = await this.#machine.waitFor(
        (state) => state === 'streaming' || state === 'closed',
        signal,
      );
      if (reached === 'closed') throw new Error('the feed is closed');
    } finally {
      release();
    }
  }

  /** Reopens the stream if the publication of tables was created or replaced after the stream was opened. */
  async restartIfStale(): Promise<void> {
    if (!this.#lacksPublication()) return;
    const text = 'select from pg_catalog.pg_publication where pubname = $1';
    const found = await this.#options.database.query({ text, values: [PUBLICATION] }).catch(() => []);
    if (found.length > 0 && this.#lacksPublication()) this.#machine.send('stale');
  }

  acknowledge(lsn: Lsn): void {
    this.#stream.acknowledge(lsn);
  }

  /** Stops reading, so that the server has to wait (backpressure). */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Resolves when the server has closed its side. */
  close(): Promise<void> {
    this.#machine.send('close');
    return this.#stream.close();
  }

  #openStream(): ReplicationStream {
    const { replicationUrl, statusEveryMs, log, onOpening, onData, onIdle } = this.#options;
    return new ReplicationStream({
      source: {
        createClient: () => createFeedClient(replicationUrl),
        start: async (client) => {
          this.#publications = await findPublications(client, [PUBLICATION, MESSAGES_PUBLICATION]);
          await streamFromNewSlot(client, this.#publications);
        },
      },
      statusEveryMs,
      onOpening,
      onData,
      onIdle,
      onStreaming: () => {
        log.info({ publications: this.#publications }, 'streaming database changes');
        this.#machine.send('opened');
      },
      onLost: (error, pauseMs) => {
        log.warn({ reason: error.message, pauseMs }, 'database changes are not streamed; reconnecting');
        this.#machine.send('lost');
      },
    });
  }

  #lacksPublication(): boolean {
    return this.#machine.state === 'streaming' && !this.#publications.includes(PUBLICATION);
  }

  #run(effect: FeedEffect): void {
    const { log, onPositionsInvalid, onStatus, onClosed } = this.#options;
    switch (effect) {
      case 'forget-positions':
        onPositionsInvalid();
        break;
      case 'restart-stream':
        this.#stream.restart();
        break;
      case 'disconnect-stream':
        this.#stream.disconnect();
        log.info({}, 'streaming of database changes suspended, because no client needs it');
        break;
      case 'connect-stream':
        this.#stream.connect();
        break;
      case 'announce-streaming':
        onStatus('streaming');
        break;
      case 'announce-lost':
        onStatus('lost');
        break;
      case 'announce-suspended':
        onStatus('suspended');
        break;
      case 'stop':
        this.#references.stop();
        clearInterval(this.#publicationTimer);
        onClosed();
    }
  }
}
