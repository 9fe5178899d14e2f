/**
 * One connection of a client: takes frames, hands them to channels, and sends what those have to say, as long as it is
 * read. Not in charge of what any push means.
 */
import { CatalogueError } from '@greenroom/errors';
import type { RawData, WebSocket } from 'ws';
import type { Session } from '../authorize/token.ts';
import type { Channel, ChannelPort } from '../channel/channel.ts';
import { joinChannel } from '../channel/join.ts';
import { handlePush } from '../channel/push.ts';
import type { Context } from '../context.ts';
import { failure, type RealtimeErrorCode } from '../errors.ts';
import { decodeFrame } from '../frames/decode.ts';
import { encodeReply } from '../frames/encode.ts';
import type { Encoded, Frame, Version } from '../frames/frame.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';
import { RollingAverage } from './rolling-average.ts';
import { Seat } from './seat.ts';

/** The topic of what is about the connection itself. */
const PHOENIX = 'phoenix';
/** So many frames may wait for their turn before no more are read. */
const MAX_WAITING = 64;

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
  version: Version;
  session: Session;
  /** JSON of headers, for policies. */
  headers: string;
  onClosed: () => void;
}

/** A connection. */
export class RealtimeSocket implements ChannelPort {
  readonly version: Version;
  readonly headers: string;
  /** When something was last received, and when there was last a channel; in milliseconds of `performance.now`. */
  lastFrameAt = performance.now();
  lastChannelAt = performance.now();
  readonly #connection: WebSocket;
  readonly #context: Context;
  readonly #session: Session;
  readonly #seats = new Map<string, Seat>();
  readonly #frames = new RollingAverage();
  #isClosing = false;

  constructor(connection: WebSocket, { context, version, session, headers, onClosed }: SocketOptions) {
    this.#connection = connection;
    this.#context = context;
    this.#session = session;
    this.version = version;
    this.headers = headers;
    connection.on('message', (data, isBinary) => this.#receive(data, isBinary));
    connection.on('ping', () => {
      this.lastFrameAt = performance.now();
    });
    // A frame that is too large or no frame at all; the connection is closed with a code that says so.
    connection.on('error', (error) => context.log.debug({ reason: error.message }, 'realtime socket failed'));
    connection.on('close', () => {
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
    if (this.#connection.bufferedAmount > this.#context.config.maxBufferedBytes) this.#dropSlowReader();
    else this.#connection.send(data, { binary: isBinary });
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

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isClosing) return;
    this.lastFrameAt = performance.now();
    const { metrics, rates, config, log } = this.#context;
    metrics.received.inc();
    rates.events.add();
    this.#frames.add();
    if (this.#frames.average > config.maxFramesPerSecond) {
      this.#refuseMore('FrameRateLimitReached');
      return;
    }
    const frame = decodeFrame(this.version, data as Buffer, isBinary);
    if (frame === undefined) log.debug('a malformed frame was dropped');
    else this.#dispatch(frame);
  }

  #refuseMore(code: RealtimeErrorCode): void {
    this.#context.metrics.closed.inc({ code });
    this.close(CLOSE.policyViolation, failure(code).message);
  }

  #dispatch(frame: Frame): void {
    const { topic, event } = frame;
    if (topic === PHOENIX && event === 'heartbeat') {
      this.#reply(frame, 'ok', {});
      return;
    }
    const seat = this.#seats.get(topic) ?? this.#takeSeat(frame);
    if (seat === undefined) return;
    seat.enqueue(
      () => this.#handle(seat, frame),
      () => this.#freeSeat(topic, seat),
    );
    if (seat.waiting > MAX_WAITING && !this.#isClosing) this.#connection.pause();
  }

  /** Only a join makes one. */
  #takeSeat(frame: Frame): Seat | undefined {
    const { topic, event } = frame;
    if (event === 'phx_join' && topic.startsWith(TOPIC_PREFIX)) {
      if (this.#seats.size >= this.#context.config.maxChannelsPerClient) {
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
    if (this.#connection.isPaused && !this.#isCrowded()) this.#connection.resume();
    if (seat.channel !== undefined || seat.isBusy || seat.waiting > 0) return;
    if (this.#seats.get(topic) === seat) this.#seats.delete(topic);
    this.lastChannelAt = performance.now();
  }

  /** Whether as many wait as may. */
  #isCrowded(): boolean {
    return [...this.#seats.values()].some(({ waiting }) => waiting > MAX_WAITING);
  }

  #handle(seat: Seat, frame: Frame): void | Promise<void> {
    if (this.#isClosing) return;
    const { channel } = seat;
    if (frame.event === 'phx_join') return this.#join(seat, frame);
    if (channel === undefined) return this.#replyUnmatched(frame);
    if (frame.event === 'phx_leave') return this.#leave(channel, frame);
    const { rates, config } = this.#context;
    if (rates.events.average > config.maxEventsPerSecond)
      return channel.end('MessagePerSecondRateLimitReached');
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
    context.rates.joins.add();
    if (context.rates.joins.average > context.config.maxJoinsPerSecond) {
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

  #crash(channel: Channel, error: unknown): void {
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
