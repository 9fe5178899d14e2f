/**
 * Frames of one connection on their way in: counted against the client, read, and handed on in their order. A client that
 * sends too much is read more slowly, so what it sends stays in its own memory. Not in charge of what a frame means.
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

/** So many frames may wait for their turn before no more are read. */
const MAX_WAITING = 64;
/** The same in bytes. */
const MAX_WAITING_BYTES = 1_000_000;
/** What a frame costs a turn of the event loop, besides its bytes. */
const FRAME_COST = 500;
/** Objects are parsed twice, and their long numbers once more. */
const COST_PER_BYTE: Readonly<Record<Version, number>> = { '1.0.0': 4, '2.0.0': 1 };
/** Longest pause of a client that is over its limits, before it is looked at again. */
const MAX_THROTTLE_MS = 5000;

/** Options of {@link InboundFrames}. */
interface InboundOptions {
  connection: WebSocket;
  /** The connection below, for what the WebSocket does not report. */
  stream: Socket;
  context: Context;
  version: Version;
  client: SocketClient;
  memory: SocketMemory;
  /** Takes a frame; `isOverLimit`: the client has sent more messages than it may. */
  dispatch: (frame: Frame, bytes: number, isOverLimit: boolean) => void;
  /** The client sends more than can be taken. */
  refuse: (code: RealtimeErrorCode) => void;
}

/** Reads the frames of one connection. */
export class InboundFrames {
  /** When something was last received, in milliseconds of `performance.now`. */
  lastAt = performance.now();
  readonly #options: InboundOptions;
  readonly #average = new RollingAverage();
  /** Bytes of a frame that has not arrived whole. */
  #unfinishedBytes = 0;
  /** Frames that wait for their turn. */
  #waitingFrames = 0;
  #waitingBytes = 0;
  /** Frames behind one that is read in slices or in a later turn; undefined where there is none. */
  #behindSlow: { data: Buffer; isBinary: boolean }[] | undefined;
  #throttle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: InboundOptions) {
    this.#options = options;
    const { connection, stream } = options;
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary));
    connection.on('ping', () => {
      this.lastAt = performance.now();
    });
    // First, so that the frame which ends with these bytes counts them as its own.
    stream.prependListener('data', ({ length }: Buffer) => this.#arrive(length));
  }

  /** Hands on nothing more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#throttle);
  }

  /** A frame that was handed on has to wait: while too many do, no more are read. */
  wait(bytes: number): void {
    this.#waitingFrames += 1;
    this.#waitingBytes += bytes;
    this.#countIncoming();
    this.updateFlow();
  }

  /** The turn of a frame that waited has come. */
  endWait(bytes: number): void {
    this.#waitingFrames -= 1;
    this.#waitingBytes -= bytes;
    this.#countIncoming();
  }

  /** Reads on, or not: frames that wait, a slow frame, and a client over its limits stop it. */
  updateFlow(): void {
    if (this.#isClosed) return;
    const { connection } = this.#options;
    const isHeld =
      this.#behindSlow !== undefined ||
      this.#throttle !== undefined ||
      this.#waitingFrames > MAX_WAITING ||
      this.#waitingBytes > MAX_WAITING_BYTES;
    if (isHeld && !connection.isPaused) connection.pause();
    else if (!isHeld && connection.isPaused) connection.resume();
  }

  /** Counts bytes as they come: a frame is held in memory until the last of them is here. */
  #arrive(bytes: number): void {
    this.#unfinishedBytes += bytes;
    this.#countIncoming();
  }

  #countIncoming(): void {
    if (this.#isClosed || this.#options.memory.setIncoming(this.#unfinishedBytes + this.#waitingBytes))
      return;
    this.#options.refuse('BufferLimitReached');
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosed) return;
    const bytes = data as Buffer;
    this.#unfinishedBytes = 0;
    this.lastAt = performance.now();
    const { metrics, config } = this.#options.context;
    metrics.received.inc();
    this.#average.add();
    if (this.#average.average > config.maxFramesPerSecond) {
      this.#options.refuse('FrameRateLimitReached');
      return;
    }
    if (this.#behindSlow !== undefined) {
      this.#behindSlow.push({ data: bytes, isBinary });
      this.wait(bytes.length);
    } else this.#take(bytes, isBinary);
  }

  /** Charges a frame to its client and reads it. */
  #take(data: Buffer, isBinary: boolean): void {
    const { client, version } = this.#options;
    const { keys, limits } = client;
    const { events, bytes } = limits;
    const isOverLimit = events.take(keys, this.lastAt) !== undefined;
    if (keys.length > 0) {
      bytes.charge(keys, this.lastAt, data.length);
      this.#throttleFor(Math.max(events.waitMs(keys, this.lastAt), bytes.waitMs(keys, this.lastAt)));
    }
    if (isLargeFrame(version, data, isBinary) || !limits.turn.spend(this.#costOf(data)))
      void this.#takeSlowly(data, isBinary, isOverLimit);
    else this.#handOn(decodeFrame(version, data, isBinary), data.length, isOverLimit);
  }

  #costOf({ length }: Buffer): number {
    return FRAME_COST + length * COST_PER_BYTE[this.#options.version];
  }

  #handOn(frame: Frame | undefined, bytes: number, isOverLimit: boolean): void {
    if (frame === undefined) this.#options.context.log.debug('a malformed frame was dropped');
    else if (!this.#isClosed) this.#options.dispatch(frame, bytes, isOverLimit);
  }

  /** Frames of one socket keep their order, so those behind a slow one wait for it. */
  async #takeSlowly(data: Buffer, isBinary: boolean, isOverLimit: boolean): Promise<void> {
    this.#behindSlow = [];
    this.wait(data.length);
    const frame = await this.#readSlowly(data, isBinary);
    this.endWait(data.length);
    this.#handOn(frame, data.length, isOverLimit);
    this.#takeBehind();
  }

  /** Where it is the client's turn, and in a turn of the event loop that has time for it. */
  async #readSlowly(data: Buffer, isBinary: boolean): Promise<Frame | undefined> {
    const { client, version, refuse } = this.#options;
    const { slices, turn } = client.limits;
    try {
      return await slices.run(client.keys, async () => {
        await turn.wait(this.#costOf(data));
        if (isLargeFrame(version, data, isBinary)) return decodeLargeFrame(version, data, isBinary);
        return decodeFrame(version, data, isBinary);
      });
    } catch (error) {
      if (error instanceof QueueFullError) refuse('BufferLimitReached');
      return undefined;
    }
  }

  #takeBehind(): void {
    const behind = this.#behindSlow ?? [];
    this.#behindSlow = undefined;
    for (let next = behind.shift(); next !== undefined && !this.#isClosed; next = behind.shift()) {
      this.endWait(next.data.length);
      this.#take(next.data, next.isBinary);
      // Another slow one: the rest waits for that.
      if (this.#behindSlow !== undefined) {
        (this.#behindSlow as typeof behind).push(...behind);
        return;
      }
    }
    this.updateFlow();
  }

  /** A client over its limits is read more slowly. */
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
