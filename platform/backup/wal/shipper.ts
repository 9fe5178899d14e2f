/**
 * Ships the write-ahead log of a running cluster into an archive as it is written. The life cycle is in ./shipper-state.ts;
 * the bytes go from the stream through ./log-buffer.ts to ./piece-store.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  openPhysicalStream,
  type PhysicalStart,
  type ReplicationClient,
  type ReplicationStream,
  type SystemIdentity,
} from '@greenroom/postgres';
import { StateMachine } from '@greenroom/state-machine';
import type { Archive } from '../archive/archive.ts';
import { CoveredTime, type LogMark } from './covered-time.ts';
import { HeadWriter } from './head-writer.ts';
import { type BufferedPiece, LogBuffer } from './log-buffer.ts';
import { readTail, removeTail, storePiece } from './piece-store.ts';
import { type LogLineage, PIECE_BYTES } from './pieces.ts';
import {
  INITIAL_STATE,
  type ShipperEffect,
  type ShipperEvent,
  type ShipperState,
  shipperTransition,
} from './shipper-state.ts';
import { findStartingPoint, type LogTail, OtherLogError, requireLineage } from './starting-point.ts';

/** Bytes in memory from which the stream is suspended: the archive is away or slow. */
const MAX_BUFFERED_BYTES = 2 * PIECE_BYTES;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;
/** Below the `wal_sender_timeout` of PostgreSQL (60 s). */
const STATUS_EVERY_MS = 10_000;
/** Longest rest between reads of the log, and its part of the lag: the log is rather read in large parts than at once. */
const [MAX_REST_MS, REST_SHARE] = [250, 0.1];
/** Maximum time until the log before a mark has been received; then the mark waits for the next round. */
const MARK_WAIT_MS = 1000;
/** A server that is idle still moves the covered time this often. */
const IDLE_HEAD_MS = 60_000;

/** Changes that the owner of a shipper reacts to. */
export type ShipperReport =
  | { type: 'streaming' | 'reachable' }
  | { type: 'lost' | 'away' | 'stopped'; reason: Error }
  /** The archive lacks a range, or has no log of this lineage yet (`start` undefined): a full backup is needed. */
  | { type: 'gap'; lineage: LogLineage; start: bigint | undefined; end: bigint };

/** Options of {@link LogShipper}. */
export interface ShipperOptions {
  archive: Archive;
  /** URL of the superuser. */
  url: string;
  /** Name of the physical slot; created if it does not exist. */
  slot: string;
  /** Maximum time until received log is stored, in milliseconds. */
  lagMs: number;
  /** Returns the flushed end of the log, see `readLogMark`. May reject while the database is away. */
  readMark(): Promise<LogMark>;
  /** Returns the time until which the content of objects is stored; undefined if that is not known. */
  contentTime?(): Date | undefined;
  /** Called for each change. It must not throw. */
  onReport(report: ShipperReport): void;
  /** Intervals in milliseconds, for tests. */
  retryMs?: number;
  idleHeadMs?: number;
}

/** The state of shipping, for metrics and health. */
interface ShipperStatus extends ShipperState {
  lineage: LogLineage | undefined;
  /** The log is stored up to this position. */
  position: bigint | undefined;
  coveredTime: Date | undefined;
  bufferedBytes: number;
}

/** Starts to connect on construction, and retries for ever. Errors never reach the caller; it receives reports. */
export class LogShipper {
  readonly #options: ShipperOptions;
  readonly #machine: StateMachine<ShipperState, ShipperEvent, ShipperEffect>;
  readonly #buffer = new LogBuffer();
  readonly #covered = new CoveredTime();
  readonly #heads: HeadWriter;
  readonly #stream: ReplicationStream;
  readonly #closed = new AbortController();
  readonly #rounds: Promise<void>;
  #lineage: LogLineage | undefined;
  /** End of the received log. */
  #received: bigint | undefined;
  /** End of the stored log. */
  #stored: bigint | undefined;
  #tail: LogTail | undefined;
  /** Ends the wait for the next round. */
  #wake: (() => void) | undefined;
  /** Called when log was received while a mark waits for it. */
  #marked: (() => void) | undefined;
  /** Times of the last round that stored everything, and of the last head. */
  #lastRoundAt = performance.now();
  #headAt = Number.NEGATIVE_INFINITY;

  constructor(options: ShipperOptions) {
    this.#options = options;
    this.#heads = new HeadWriter(options.archive);
    this.#machine = new StateMachine({
      initial: INITIAL_STATE,
      transition: shipperTransition,
      run: (effect) => this.#run(effect),
    });
    this.#stream = openPhysicalStream({
      url: options.url,
      applicationName: 'greenroom backup',
      statusEveryMs: STATUS_EVERY_MS,
      restMs: Math.min(MAX_REST_MS, options.lagMs * REST_SHARE),
      prepare: (client, system) => this.#prepare(client, system),
      onData: (start, bytes) => this.#receive(start, bytes),
      onStreaming: () => this.#machine.send({ type: 'streaming' }),
      onLost: (reason) =>
        this.#machine.send({ type: reason instanceof OtherLogError ? 'stop' : 'lost', reason }),
    });
    this.#rounds = this.#runRounds();
  }

  get status(): ShipperStatus {
    return {
      ...this.#machine.state,
      lineage: this.#lineage,
      position: this.#stored,
      coveredTime: this.#covered.time,
      bufferedBytes: this.#buffer.bytes,
    };
  }

  /** Stores the log until now unless the archive is away, and ends the stream. */
  async close(): Promise<void> {
    this.#closed.abort();
    await this.#rounds;
    this.#machine.send({ type: 'close' });
    await this.#stream.close();
  }

  async #prepare(client: ReplicationClient, system: SystemIdentity): Promise<PhysicalStart> {
    const { slot, archive, onReport } = this.#options;
    const { systemId, timeline } = system;
    const lineage = this.#lineage ?? { systemId, timeline };
    requireLineage(system, lineage);
    if (this.#lineage === undefined) {
      this.#tail = await readTail(archive, lineage);
      await this.#heads.open(lineage);
    }
    const wanted = this.#received ?? this.#tail?.end;
    const { from, oldest, gap } = await findStartingPoint(client, system, { slot, wanted });
    if (this.#tail?.isDamaged && !gap) await removeTail(archive, lineage, this.#tail);
    this.#stored ??= wanted;
    const isFirst = this.#lineage === undefined;
    this.#lineage = lineage;
    this.#received = from;
    if (gap) {
      this.#heads.addGap(gap.end);
      onReport({ type: 'gap', lineage, ...gap });
    }
    const tail = this.#tail?.range.start;
    const repeatsTail = isFirst && gap === undefined && tail !== undefined && tail >= oldest;
    return { slot, timeline, from: repeatsTail ? tail : from };
  }

  #receive(start: bigint, bytes: Buffer): void {
    const rest = this.#tail?.rest(start, bytes) ?? { start, bytes };
    if (rest.bytes.length === 0) return;
    this.#tail = undefined;
    this.#buffer.append(rest.start, rest.bytes);
    this.#received = rest.start + BigInt(rest.bytes.length);
    if (this.#buffer.bytes > MAX_BUFFERED_BYTES) this.#machine.send({ type: 'full' });
    if (this.#buffer.hasFullPiece) this.#wake?.();
    this.#marked?.();
  }

  /** One round after the other, until the shipper is closed. */
  async #runRounds(): Promise<void> {
    const { lagMs } = this.#options;
    while (!this.#closed.signal.aborted) {
      const isDue = await this.#waitUntil(this.#lastRoundAt + lagMs);
      if (isDue) this.#lastRoundAt = performance.now();
      await this.#round(isDue);
    }
    await this.#round(true);
    await this.#writeHead();
  }

  /** Resolves with true at a time, or with false as soon as a piece is complete or the shipper is closed. */
  async #waitUntil(time: number): Promise<boolean> {
    if (this.#buffer.hasFullPiece) return false;
    const woken = new AbortController();
    const wake = () => woken.abort();
    this.#wake = wake;
    const signal = AbortSignal.any([woken.signal, this.#closed.signal]);
    const pauseMs = Math.max(0, time - performance.now());
    return sleep(pauseMs, true, { signal }).catch(() => false);
  }

  /** @param isDue whether log that is no complete piece is stored as well */
  async #round(isDue: boolean): Promise<void> {
    if (this.#lineage === undefined) return;
    const { idleHeadMs = IDLE_HEAD_MS } = this.#options;
    if (isDue) await this.#readMark();
    const needsHead = this.#buffer.hasUnstored || performance.now() - this.#headAt >= idleHeadMs;
    await this.#store(isDue);
    if (isDue && needsHead) await this.#writeHead();
  }

  /** Reads a mark and waits a moment until the log before it has been received. */
  async #readMark(): Promise<void> {
    const mark = await this.#options.readMark().catch(() => undefined);
    if (mark === undefined) return;
    this.#covered.addMark(mark);
    const isReached = () => (this.#received ?? 0n) >= mark.position;
    if (isReached()) return;
    const received = new AbortController();
    const check = () => {
      if (isReached()) received.abort();
    };
    this.#marked = check;
    await sleep(MARK_WAIT_MS, undefined, { signal: received.signal }).catch(() => undefined);
    this.#marked = undefined;
  }

  /** Stores all complete pieces, and the incomplete one if it is due. */
  async #store(isDue: boolean): Promise<void> {
    while (this.#lineage !== undefined && (isDue || this.#buffer.hasFullPiece)) {
      const isFull = this.#buffer.hasFullPiece;
      const piece = this.#buffer.next();
      if (piece === undefined || !(await this.#storePiece(this.#lineage, piece))) break;
      if (!isFull) break;
    }
    this.#covered.reach(this.#stored ?? 0n);
  }

  /** Retries until the piece is stored or the shipper is closed; returns whether it is stored. */
  async #storePiece(lineage: LogLineage, piece: BufferedPiece): Promise<boolean> {
    const { archive, retryMs = FIRST_RETRY_MS } = this.#options;
    const { signal } = this.#closed;
    for (let pauseMs = retryMs; ; pauseMs = Math.min(2 * pauseMs, MAX_RETRY_MS)) {
      try {
        await storePiece(archive, lineage, piece);
        break;
      } catch (error) {
        this.#machine.send({ type: 'put-failed', reason: error as Error });
        if (signal.aborted) return false;
        await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#machine.send({ type: 'put-done' });
    this.#buffer.confirm(piece);
    this.#stored = piece.end;
    this.#stream.acknowledge(piece.end);
    if (this.#buffer.bytes <= MAX_BUFFERED_BYTES / 2) this.#machine.send({ type: 'drained' });
    return true;
  }

  /** Writes the head if a covered time is known. The next round repeats it after an error. */
  async #writeHead(): Promise<void> {
    const { contentTime } = this.#options;
    const { time } = this.#covered;
    if (this.#lineage === undefined || this.#stored === undefined || time === undefined) return;
    const covered = { position: this.#stored, coveredTime: time, contentTime: contentTime?.() };
    try {
      await this.#heads.write(this.#lineage, covered);
      this.#headAt = performance.now();
      this.#machine.send({ type: 'put-done' });
    } catch (error) {
      this.#machine.send({ type: 'put-failed', reason: error as Error });
    }
  }

  #run(effect: ShipperEffect): void {
    const { onReport } = this.#options;
    switch (effect.type) {
      case 'disconnect':
        this.#stream.disconnect();
        break;
      case 'connect':
        this.#stream.connect();
        break;
      case 'close-stream':
        void this.#stream.close();
        break;
      case 'report-streaming':
        onReport({ type: 'streaming' });
        break;
      case 'report-reachable':
        onReport({ type: 'reachable' });
        break;
      case 'report-lost':
        onReport({ type: 'lost', reason: effect.reason });
        break;
      case 'report-away':
        onReport({ type: 'away', reason: effect.reason });
        break;
      case 'report-stopped':
        onReport({ type: 'stopped', reason: effect.reason });
    }
  }
}
