/**
 * Receives the frames of one connection: charges them to the client, decodes them and dispatches them in order. A
 * client that exceeds its limits is read more slowly (backpressure), so that its data stays in its own memory. The
 * handler of `dispatch` interprets the frames.
 */
import type { Socket } from 'node:net';
import { QueueFullError } from '@greenroom/limits';
import type { RawData, WebSocket } from 'ws';
import type { Context } from '../context.ts';
import type { RealtimeErrorCode } from '../errors.ts';
import { decodeFrame } from '../frames/decode.ts';
import { decodeLargeFrame, isLargeFrame } from '../frames/decode-large.ts';
import type { Frame, Version } from '../frames/frame.ts';
import type { SocketClient } from '../limits/client.ts';
import { RollingAverage } from '../limits/rolling-average.ts';
import type { SocketMemory } from '../limits/socket-memory.ts';

/** Above this number of queued frames, the connection is paused. */
const MAX_QUEUED_FRAMES = 64;
/** Above this number of queued bytes, the connection is paused. */
const MAX_QUEUED_BYTES = 1_000_000;
/** Fixed cost of a frame in the budget of a turn of the event loop, in addition to the cost of its bytes. */
const FRAME_COST = 500;
/** Version 1.0.0 costs more: objects are parsed twice, and a third time if they contain long numbers. */
const COST_PER_BYTE: Readonly<Record<Version, number>> = { '1.0.0': 4, '2.0.0': 1 };
/** Longest time that a client above its limits is paused before its limits are checked again. */
const MAX_THROTTLE_MS = 5000;

/** Options of {@link InboundFrames}. */
interface InboundOptions {
  connection: WebSocket;
  /** The TCP stream below the WebSocket: it reports bytes of frames that are not complete. */
  stream: Socket;
  context: Context;
  version: Version;
  client: SocketClient;
  memory: SocketMemory;
  /** Handles a frame. `isOverLimit`: the client has exceeded its rate of messages. */
  dispatch: (frame: Frame, bytes: number, isOverLimit: boolean) => void;
  /** Closes the connection because the client has exceeded a limit. */
  onLimitExceeded: (code: RealtimeErrorCode) => void;
}

/** The inbound side of one connection. */
export class InboundFrames {
  /** Time of the last received frame or ping, as `performance.now()`. */
  lastReceivedAt = performance.now();
  readonly #options: InboundOptions;
  readonly #average = new RollingAverage();
  /** Bytes of the frame that is not complete yet. */
  #unfinishedBytes = 0;
  #queuedFrames = 0;
  #queuedBytes = 0;
  /** Frames that arrived while an earlier one is decoded in slices or in a later turn; undefined if none is. */
  #deferred: { data: Buffer; isBinary: boolean }[] | undefined;
  #throttle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: InboundOptions) {
    this.#options = options;
    const { connection, stream } = options;
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary));
    connection.on('ping', () => {
      this.lastReceivedAt = performance.now();
    });
    // Runs before the WebSocket's listener, so that the frame that ends with these bytes includes them.
    stream.prependListener('data', ({ length }: Buffer) => this.#addReceived(length));
  }

  /** Stops dispatching frames. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#throttle);
  }

  /** Counts a dispatched frame that its topic has queued. The connection is paused while too many are queued. */
  addQueued(bytes: number): void {
    this.#queuedFrames += 1;
    this.#queuedBytes += bytes;
    this.#countIncoming();
    this.updateFlow();
  }

  /** Counts down when a queued frame is handled. */
  removeQueued(bytes: number): void {
    this.#queuedFrames -= 1;
    this.#queuedBytes -= bytes;
    this.#countIncoming();
  }

  /** Pauses or resumes the connection: queued frames, a slow frame and exceeded limits pause it. */
  updateFlow(): void {
    if (this.#isClosed) return;
    const { connection } = this.#options;
    const mustPause =
      this.#deferred !== undefined ||
      this.#throttle !== undefined ||
      this.#queuedFrames > MAX_QUEUED_FRAMES ||
      this.#queuedBytes > MAX_QUEUED_BYTES;
    if (mustPause && !connection.isPaused) connection.pause();
    else if (!mustPause && connection.isPaused) connection.resume();
  }

  /** Counts bytes as they arrive, because an incomplete frame occupies memory, too. */
  #addReceived(bytes: number): void {
    this.#unfinishedBytes += bytes;
    this.#countIncoming();
  }

  #countIncoming(): void {
    if (this.#isClosed || this.#options.memory.setIncoming(this.#unfinishedBytes + this.#queuedBytes)) return;
    this.#options.onLimitExceeded('BufferLimitReached');
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    const bytes = data as Buffer;
    this.#unfinishedBytes = 0;
    this.lastReceivedAt = performance.now();
    const { metrics, config } = this.#options.context;
    metrics.received.inc();
    this.#average.add();
    if (this.#average.average > config.maxFramesPerSecond) {
      this.#options.onLimitExceeded('FrameRateLimitReached');
      return;
    }
    if (this.#deferred !== undefined) {
      this.#deferred.push({ data: bytes, isBinary });
      this.addQueued(bytes.length);
    } else this.#process(bytes, isBinary);
  }

  /** Charges a frame to its client and decodes it. */
  #process(data: Buffer, isBinary: boolean): void {
    const { client, version } = this.#options;
    const { keys, limits } = client;
    const { events, bytes } = limits;
    const isOverLimit = events.take(keys, this.lastReceivedAt) !== undefined;
    if (keys.length > 0) {
      bytes.charge(keys, this.lastReceivedAt, data.length);
      this.#throttleFor(
        Math.max(events.waitMs(keys, this.lastReceivedAt), bytes.waitMs(keys, this.lastReceivedAt)),
      );
    }
    if (isLargeFrame(version, data, isBinary) || !limits.turn.spend(this.#costOf(data)))
      void this.#processSlowly(data, isBinary, isOverLimit);
    else this.#dispatch(decodeFrame(version, data, isBinary), data.length, isOverLimit);
  }

  #costOf({ length }: Buffer): number {
    return FRAME_COST + length * COST_PER_BYTE[this.#options.version];
  }

  #dispatch(frame: Frame | undefined, bytes: number, isOverLimit: boolean): void {
    if (frame === undefined) this.#options.context.log.debug('dropped a malformed frame');
    else if (!this.#isClosed) this.#options.dispatch(frame, bytes, isOverLimit);
  }

  /** Decodes a slow frame. Later frames of the socket wait, because frames keep their order. */
  async #processSlowly(data: Buffer, isBinary: boolean, isOverLimit: boolean): Promise<void> {
    this.#deferred = [];
    this.addQueued(data.length);
    const frame = await this.#decodeSlowly(data, isBinary);
    this.removeQueued(data.length);
    this.#dispatch(frame, data.length, isOverLimit);
    this.#processDeferred();
  }

  /** Decodes a frame when the client's place in the fair queue is reached and the turn has enough budget. */
  async #decodeSlowly(data: Buffer, isBinary: boolean): Promise<Frame | undefined> {
    const { client, version, onLimitExceeded } = this.#options;
    const { slices, turn } = client.limits;
    try {
      return await slices.run(client.keys, async () => {
        await turn.wait(this.#costOf(data));
        if (isLargeFrame(version, data, isBinary)) return decodeLargeFrame(version, data, isBinary);
        return decodeFrame(version, data, isBinary);
      });
    } catch (error) {
      if (error instanceof QueueFullError) onLimitExceeded('BufferLimitReached');
      return undefined;
    }
  }

  #processDeferred(): void {
    const deferred = this.#deferred ?? [];
    this.#deferred = undefined;
    for (let next = deferred.shift(); next !== undefined && !this.#isClosed; next = deferred.shift()) {
      this.removeQueued(next.data.length);
      this.#process(next.data, next.isBinary);
      // This frame is slow as well: the remaining frames wait for it.
      if (this.#deferred !== undefined) {
        (this.#deferred as typeof deferred).push(...deferred);
        return;
      }
    }
    this.updateFlow();
  }

  /** Pauses reading for a client above its limits. */
  #throttleFor(waitMs: number): void {
    if (waitMs <= 0 || this.#throttle !== undefined) return;
    this.#throttle = setTimeout(
      () => {
        this.#throttle = undefined;
        this.updateFlow();
      },
      Math.min(waitMs, MAX_THROTTLE_MS),
    ).unref();
    this.updateFlow();
  }
}
