/**
 * One connection of a client: takes frames, hands them to channels, and sends what those have to say, as long as it is
 * read. Not in charge of what any push means.
 */

import type { Socket } from 'node:net';
import { CatalogueError } from '@greenroom/errors';
import { QueueFullError } from '@greenroom/limits';
import type { RawData, WebSocket } from 'ws';
import type { Session } from '../authorize/token.ts';
import type { Channel, ChannelPort } from '../channel/channel.ts';
import { joinChannel } from '../channel/join.ts';
import { handlePush } from '../channel/push.ts';
import type { Context } from '../context.ts';
import { failure, type RealtimeErrorCode } from '../errors.ts';
import { decodeFrame } from '../frames/decode.ts';
import { decodeLargeFrame, isLargeFrame } from '../frames/decode-large.ts';
import { encodeReply } from '../frames/encode.ts';
import type { Encoded, Frame, Version } from '../frames/frame.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';
import { SocketMemory } from '../limits/socket-memory.ts';
import { RollingAverage } from './rolling-average.ts';
import { Seat } from './seat.ts';

/** The topic of what is about the connection itself. */
const PHOENIX = 'phoenix';
/** So many frames may wait for their turn before no more are read. */
const MAX_WAITING = 64;
/** The same in bytes. */
const MAX_WAITING_BYTES = 1_000_000;
/** Longest pause of a client that is over its limits, before it is looked at again. */
const MAX_THROTTLE_MS = 5000;

/** Close codes (RFC 6455 §7.4.1, and its registry). */
export const CLOSE = {
  normal: 1000,
  policyViolation: 1008,
  serviceRestart: 1012,
  tryAgainLater: 1013,
} as const;

/** What a handshake has said. */
export interface SocketOptions {
  context: Context;
  /** The connection below, for what the WebSocket does not report. */
  stream: Socket;
  version: Version;
  session: Session;
  client: SocketClient;
  /** JSON of headers, for policies. */
  headers: string;
  onClosed: () => void;
}

/** A connection. */
export class RealtimeSocket implements ChannelPort {
  readonly version: Version;
  readonly headers: string;
  readonly client: SocketClient;
  /** When something was last received, and when there was last a channel; in milliseconds of `performance.now`. */
  lastFrameAt = performance.now();
  lastChannelAt = performance.now();
  readonly #connection: WebSocket;
  readonly #context: Context;
  readonly #session: Session;
  readonly #seats = new Map<string, Seat>();
  readonly #frames = new RollingAverage();
  readonly #memory: SocketMemory;
  #isClosing = false;
  /** Bytes of a frame that has not arrived whole. */
  #unfinishedBytes = 0;
  /** Frames that wait for their turn. */
  #waitingFrames = 0;
  #waitingBytes = 0;
  /** Frames behind a large one that is read in slices; undefined where there is none. */
  #behindLarge: { data: Buffer; isBinary: boolean }[] | undefined;
  #throttle: NodeJS.Timeout | undefined;

  constructor(connection: WebSocket, options: SocketOptions) {
    const { context, stream, version, session, headers, client, onClosed } = options;
    this.#connection = connection;
    this.client = client;
    this.#memory = new SocketMemory(client);
    this.#context = context;
    this.#session = session;
    this.version = version;
    this.headers = headers;
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // First, so that the frame which ends with these bytes counts them as its own.
    stream.prependListener('data', ({ length }: Buffer) => this.#arrive(length));
    stream.on('drain', () => this.#memory.setOutgoing(0));
    connection.on('ping', () => {
      this.lastFrameAt = performance.now();
    });
    // A frame that is too large or no frame at all; the connection is closed with a code that says so.
    connection.on('error', (error) => context.log.debug({ reason: error.message }, 'realtime socket failed'));
    connection.on('close', () => {
      clearTimeout(this.#throttle);
      this.#leaveAll();
      onClosed();
    });
  }

  /** Whether it has a channel, or will have one. */
  get hasChannels(): boolean {
    return this.#seats.size > 0;
  }

  send({ data, isBinary }: Encoded): void {
    if (this.#isClosing || this.#connection.readyState !== this.#connection.OPEN) return;
    if (this.#connection.bufferedAmount > this.#context.config.maxBufferedBytes) {
      this.#dropSlowReader();
      return;
    }
    this.#connection.send(data, { binary: isBinary });
    const { bufferedAmount } = this.#connection;
    if (bufferedAmount > 0 && !this.#memory.setOutgoing(bufferedAmount)) this.#dropSlowReader();
  }

  forget(channel: Channel): void {
    for (const [topic, seat] of this.#seats) {
      if (seat.channel !== channel) continue;
      seat.channel = undefined;
      this.#context.metrics.channels.dec();
      this.#freeSeat(topic, seat);
    }
  }

  /** Closes in order, and in any case. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#connection.close(code, reason);
    // Not now: leaving is told to others, who may be just about to be dropped for the same message.
    setImmediate(() => this.#leaveAll());
    const impatient = setTimeout(() => this.#connection.terminate(), this.#context.timings.closeMs);
    this.#connection.once('close', () => clearTimeout(impatient));
  }

  /** Nothing more is kept for it from now on, and what waits goes with the connection, in a moment at the latest. */
  #dropSlowReader(): void {
    const code = 'SlowReader';
    this.#context.metrics.closed.inc({ code });
    this.#context.log.warn({ code }, 'a client reads too slowly, and is disconnected');
    this.close(CLOSE.tryAgainLater, failure(code).message);
  }

  #leaveAll(): void {
    for (const { channel } of [...this.#seats.values()]) channel?.close();
  }

  /** Counts bytes as they come: a frame is held in memory until the last of them is here. */
  #arrive(bytes: number): void {
    this.#unfinishedBytes += bytes;
    this.#countIncoming();
  }

  #countIncoming(): void {
    if (this.#isClosing || this.#memory.setIncoming(this.#unfinishedBytes + this.#waitingBytes)) return;
    const code = 'BufferLimitReached';
    this.#context.metrics.closed.inc({ code });
    this.close(CLOSE.tryAgainLater, failure(code).message);
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosing) return;
    const bytes = data as Buffer;
    this.#unfinishedBytes = 0;
    this.lastFrameAt = performance.now();
    const { metrics, config } = this.#context;
    metrics.received.inc();
    this.#frames.add();
    if (this.#frames.average > config.maxFramesPerSecond) {
      this.#refuseMore('FrameRateLimitReached');
      return;
    }
    if (this.#behindLarge !== undefined) {
      this.#behindLarge.push({ data: bytes, isBinary });
      this.#wait(bytes.length);
    } else this.#take(bytes, isBinary);
  }

  /** Charges a frame to its client and reads it. */
  #take(data: Buffer, isBinary: boolean): void {
    const { client, lastFrameAt } = this;
    const { events, bytes } = client.limits;
    const isOverLimit = events.take(client.keys, lastFrameAt) !== undefined;
    if (client.keys.length > 0) {
      bytes.charge(client.keys, lastFrameAt, data.length);
      this.#throttleFor(
        Math.max(events.waitMs(client.keys, lastFrameAt), bytes.waitMs(client.keys, lastFrameAt)),
      );
    }
    if (isLargeFrame(this.version, data, isBinary)) void this.#takeLarge(data, isBinary, isOverLimit);
    else this.#dispatch(decodeFrame(this.version, data, isBinary), data.length, isOverLimit);
  }

  /** Frames of one socket keep their order, so those behind a large one wait for it. */
  async #takeLarge(data: Buffer, isBinary: boolean, isOverLimit: boolean): Promise<void> {
    const { client, version } = this;
    this.#behindLarge = [];
    this.#wait(data.length);
    try {
      const frame = await client.limits.slices.run(client.keys, () =>
        decodeLargeFrame(version, data, isBinary),
      );
      this.#endWait(data.length);
      if (!this.#isClosing) this.#dispatch(frame, data.length, isOverLimit);
    } catch (error) {
      this.#endWait(data.length);
      if (error instanceof QueueFullError) this.#refuseMore('BufferLimitReached');
      else this.#context.log.debug('a malformed frame was dropped');
    }
    this.#takeBehind();
  }

  #takeBehind(): void {
    const behind = this.#behindLarge ?? [];
    this.#behindLarge = undefined;
    for (let next = behind.shift(); next !== undefined && !this.#isClosing; next = behind.shift()) {
      this.#endWait(next.data.length);
      this.#take(next.data, next.isBinary);
      // Another large one: the rest waits for that.
      if (this.#behindLarge !== undefined) {
        (this.#behindLarge as typeof behind).push(...behind);
        return;
      }
    }
    this.#updateFlow();
  }

  #wait(bytes: number): void {
    this.#waitingFrames += 1;
    this.#waitingBytes += bytes;
    this.#countIncoming();
    this.#updateFlow();
  }

  #endWait(bytes: number): void {
    this.#waitingFrames -= 1;
    this.#waitingBytes -= bytes;
    this.#countIncoming();
  }

  /** A client over its limits is read more slowly. */
  #throttleFor(waitMs: number): void {
    if (waitMs <= 0 || this.#throttle !== undefined) return;
    this.#throttle = setTimeout(
      () => {
        this.#throttle = undefined;
        this.#updateFlow();
      },
      Math.min(waitMs, MAX_THROTTLE_MS),
    ).unref();
    this.#updateFlow();
  }

  /** Reads on, or not: frames that wait, a large frame, and a client over its limits stop it. */
  #updateFlow(): void {
    if (this.#isClosing) return;
    const isHeld =
      this.#behindLarge !== undefined ||
      this.#throttle !== undefined ||
      this.#waitingFrames > MAX_WAITING ||
      this.#waitingBytes > MAX_WAITING_BYTES;
    if (isHeld && !this.#connection.isPaused) this.#connection.pause();
    else if (!isHeld && this.#connection.isPaused) this.#connection.resume();
  }

  #refuseMore(code: RealtimeErrorCode): void {
    this.#context.metrics.closed.inc({ code });
    this.close(CLOSE.policyViolation, failure(code).message);
  }

  #dispatch(frame: Frame | undefined, bytes: number, isOverLimit: boolean): void {
    if (frame === undefined) {
      this.#context.log.debug('a malformed frame was dropped');
      return;
    }
    const { topic, event } = frame;
    if (topic === PHOENIX && event === 'heartbeat') {
      this.#reply(frame, 'ok', {});
      return;
    }
    const seat = this.#seats.get(topic) ?? this.#takeSeat(frame);
    if (seat === undefined) return;
    const freeSeat = () => this.#freeSeat(topic, seat);
    if (!seat.isBusy) {
      seat.enqueue(() => this.#handle(seat, frame, isOverLimit), freeSeat);
      return;
    }
    const handle = () => {
      this.#endWait(bytes);
      return this.#handle(seat, frame, isOverLimit);
    };
    seat.enqueue(handle, freeSeat);
    this.#wait(bytes);
  }

  /** Only a join makes one. */
  #takeSeat(frame: Frame): Seat | undefined {
    const { topic, event } = frame;
    if (event === 'phx_join' && topic.startsWith(TOPIC_PREFIX)) {
      const {
        client,
        client: { limits },
      } = this;
      const isFull = this.#seats.size >= this.#context.config.maxChannelsPerClient;
      if (isFull || client.take(limits.channels) !== undefined) {
        this.#refuseJoin(frame, failure('ChannelRateLimitReached'));
        return undefined;
      }
      const seat = new Seat();
      this.#seats.set(topic, seat);
      return seat;
    }
    this.#replyUnmatched(frame);
    return undefined;
  }

  #freeSeat(topic: string, seat: Seat): void {
    this.#updateFlow();
    if (seat.channel !== undefined || seat.isBusy || seat.waiting > 0) return;
    if (this.#seats.get(topic) !== seat) return;
    this.#seats.delete(topic);
    this.client.release(this.client.limits.channels);
    this.lastChannelAt = performance.now();
  }

  #handle(seat: Seat, frame: Frame, isOverLimit: boolean): void | Promise<void> {
    if (this.#isClosing) return;
    const { channel } = seat;
    if (frame.event === 'phx_join') return this.#join(seat, frame);
    if (channel === undefined) return this.#replyUnmatched(frame);
    if (frame.event === 'phx_leave') return this.#leave(channel, frame);
    if (isOverLimit) return channel.end('MessagePerSecondRateLimitReached');
    try {
      return handlePush(this.#context, channel, frame)?.catch((error) => this.#crash(channel, error));
    } catch (error) {
      this.#crash(channel, error);
    }
  }

  async #join(seat: Seat, frame: Frame): Promise<void> {
    const context = this.#context;
    const previous = seat.channel;
    previous?.close();
    previous?.tellClosed();
    const { limits, keys } = this.client;
    if (limits.joins.take(keys, performance.now()) !== undefined) {
      this.#refuseJoin(frame, failure('ClientJoinRateLimitReached'));
      return this.close(CLOSE.policyViolation, failure('ClientJoinRateLimitReached').message);
    }
    try {
      const channel = await joinChannel({ context, port: this, frame, socketToken: this.#session.token });
      if (this.#isClosing || this.#connection.readyState !== this.#connection.OPEN) channel.close();
      if (channel.isClosed) return;
      seat.channel = channel;
      context.metrics.channels.inc();
    } catch (error) {
      this.#refuseJoin(frame, error);
    }
  }

  #leave(channel: Channel, frame: Frame): void {
    this.#reply(frame, 'ok', {});
    if (!channel.isOf(frame.joinRef)) return;
    channel.close();
    channel.tellClosed();
  }

  /** What is refused ends the channel with its reason; a failure of ours makes the client join again. */
  #crash(channel: Channel, error: unknown): void {
    if (error instanceof CatalogueError && error.cause === undefined) {
      channel.end(error.code as RealtimeErrorCode, error.message);
      return;
    }
    this.#context.log.error({ err: error }, 'a realtime channel failed');
    channel.crash();
  }

  #refuseJoin(frame: Frame, error: unknown): void {
    const { metrics, log } = this.#context;
    if (!(error instanceof CatalogueError)) {
      log.error({ err: error }, 'a join failed');
      metrics.refused.inc({ code: 'unknown' });
      this.#reply(frame, 'error', { reason: 'Unknown Error on Channel' });
      return;
    }
    metrics.refused.inc({ code: error.code });
    if (error.cause !== undefined) log.error({ err: error.cause, code: error.code }, 'a join failed');
    this.#reply(frame, 'error', { reason: `${error.code}: ${error.message}` });
  }

  #replyUnmatched(frame: Frame): void {
    if (frame.event === 'phx_leave') this.#reply(frame, 'ok', {});
    else this.#reply(frame, 'error', { reason: 'unmatched topic' });
  }

  #reply({ joinRef, ref, topic }: Frame, status: 'ok' | 'error', response: unknown): void {
    this.send(encodeReply(this.version, { joinRef, ref, topic, status, response }));
  }
}
