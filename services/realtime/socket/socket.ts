/**
 * One connection of a client: routes frames to its channels and sends their frames. It closes the connection of a
 * client that does not read in time. ../channel/push.ts interprets pushes.
 */
import type { Socket } from 'node:net';
import { CatalogueError } from '@greenroom/errors';
import type { WebSocket } from 'ws';
import type { Session } from '../authorize/token.ts';
import type { Channel, ChannelPort } from '../channel/channel.ts';
import { joinChannel } from '../channel/join.ts';
import { handlePush } from '../channel/push.ts';
import type { Context } from '../context.ts';
import { failure, type RealtimeErrorCode } from '../errors.ts';
import { encodeReply } from '../frames/encode.ts';
import type { Encoded, Frame, Version } from '../frames/frame.ts';
import { TOPIC_PREFIX } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';
import { SocketMemory } from '../limits/socket-memory.ts';
import { InboundFrames } from './inbound.ts';
import type { SocketLog } from './socket-log.ts';
import { TopicQueue } from './topic-queue.ts';

/** The topic of frames about the connection itself, such as heartbeats. */
const PHOENIX = 'phoenix';
/** Costs of a join, in addition to its frame, and of leaving a channel, in the budget of a turn of the event loop. */
const JOIN_COST = 10_000;
const LEAVE_COST = 3000;

/** Close codes (RFC 6455 §7.4.1 and the IANA registry). */
export const CLOSE = {
  normal: 1000,
  policyViolation: 1008,
  serviceRestart: 1012,
  tryAgainLater: 1013,
} as const;

/** Options of {@link RealtimeSocket}. */
interface SocketOptions {
  context: Context;
  /** The TCP stream below the WebSocket, which reports when its buffer is drained. */
  stream: Socket;
  version: Version;
  session: Session;
  client: SocketClient;
  /** JSON of the handshake's headers, for policies. */
  headers: string;
  log: SocketLog;
  onClosed: () => void;
}

/** One WebSocket connection with its channels. */
export class RealtimeSocket implements ChannelPort {
  readonly version: Version;
  readonly headers: string;
  readonly client: SocketClient;
  /** Time at which the socket last had a channel, as `performance.now()`. */
  lastChannelAt = performance.now();
  readonly #connection: WebSocket;
  readonly #context: Context;
  readonly #session: Session;
  readonly #topics = new Map<string, TopicQueue>();
  readonly #log: SocketLog;
  readonly #memory: SocketMemory;
  readonly #inbound: InboundFrames;
  #isClosing = false;

  constructor(connection: WebSocket, options: SocketOptions) {
    const { context, stream, version, session, headers, client, log, onClosed } = options;
    this.#connection = connection;
    this.client = client;
    this.#memory = new SocketMemory(client);
    this.#context = context;
    this.#session = session;
    this.#log = log;
    this.version = version;
    this.headers = headers;
    this.#inbound = new InboundFrames({
      connection,
      stream,
      context,
      version,
      client,
      memory: this.#memory,
      dispatch: (frame, bytes, isOverLimit) => this.#dispatch(frame, bytes, isOverLimit),
      onLimitExceeded: (code) => this.#closeForLimit(code),
    });
    stream.on('drain', () => this.#memory.setOutgoing(0));
    // The frame was too large or malformed; ws closes the connection with the matching code.
    connection.on('error', (error) => context.log.debug({ reason: error.message }, 'realtime socket failed'));
    connection.on('close', (code) => {
      log.closed(code);
      this.#inbound.close();
      void this.#leaveAll();
      onClosed();
    });
  }

  /** Time of the last received frame or ping, as `performance.now()`. */
  get lastFrameAt(): number {
    return this.#inbound.lastReceivedAt;
  }

  /** Whether a channel is joined or being joined. */
  get hasChannels(): boolean {
    return this.#topics.size > 0;
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

  signIn(subject: string): void {
    this.client.signIn(subject);
    this.#log.signedIn(subject);
  }

  removeChannel(channel: Channel): void {
    for (const [topic, queue] of this.#topics) {
      if (queue.channel !== channel) continue;
      queue.channel = undefined;
      this.#context.metrics.channels.dec();
      this.#closeIdleTopic(topic, queue);
    }
  }

  /** Sends a close frame, and terminates the connection if the client does not respond in time. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#inbound.close();
    this.#connection.close(code, reason);
    // Deferred: leaving sends presence to other sockets, which could then be dropped during the same delivery.
    setImmediate(() => void this.#leaveAll());
    const terminateTimer = setTimeout(() => this.#connection.terminate(), this.#context.timings.closeMs);
    this.#connection.once('close', () => clearTimeout(terminateTimer));
  }

  /** Closes the connection. Nothing more is buffered, and the buffered data is freed when the connection ends. */
  #dropSlowReader(): void {
    const code = 'SlowReader';
    this.#context.metrics.closed.inc({ code });
    this.#context.log.warn({ code }, 'disconnecting a client that reads too slowly');
    this.close(CLOSE.tryAgainLater, failure(code).message);
  }

  /** Closes all channels, spread over turns of the event loop, because many sockets can disconnect together. */
  async #leaveAll(): Promise<void> {
    const { turn } = this.client.limits;
    for (const { channel } of [...this.#topics.values()]) {
      if (channel === undefined) continue;
      if (!turn.spend(LEAVE_COST)) await turn.wait(LEAVE_COST);
      channel.close();
    }
  }

  #closeForLimit(code: RealtimeErrorCode): void {
    this.#context.metrics.closed.inc({ code });
    const isTemporary = code === 'BufferLimitReached';
    this.close(isTemporary ? CLOSE.tryAgainLater : CLOSE.policyViolation, failure(code).message);
  }

  #dispatch(frame: Frame, bytes: number, isOverLimit: boolean): void {
    const { topic, event } = frame;
    if (topic === PHOENIX && event === 'heartbeat') {
      this.#reply(frame, 'ok', {});
      return;
    }
    const queue = this.#topics.get(topic) ?? this.#openTopic(frame);
    if (queue === undefined) return;
    const closeIfIdle = () => this.#closeIdleTopic(topic, queue);
    if (!queue.isBusy) {
      queue.enqueue(() => this.#handle(queue, frame, isOverLimit), closeIfIdle);
      return;
    }
    const handle = () => {
      this.#inbound.removeQueued(bytes);
      return this.#handle(queue, frame, isOverLimit);
    };
    queue.enqueue(handle, closeIfIdle);
    this.#inbound.addQueued(bytes);
  }

  /** Starts the queue of a topic for a join. Replies with an error to any other frame. */
  #openTopic(frame: Frame): TopicQueue | undefined {
    const { topic, event } = frame;
    if (event === 'phx_join' && topic.startsWith(TOPIC_PREFIX)) {
      const {
        client,
        client: { limits },
      } = this;
      const isFull = this.#topics.size >= this.#context.config.maxChannelsPerClient;
      if (isFull || client.take(limits.channels) !== undefined) {
        this.#refuseJoin(frame, failure('ChannelRateLimitReached'));
        return undefined;
      }
      const queue = new TopicQueue();
      this.#topics.set(topic, queue);
      return queue;
    }
    this.#replyUnmatched(frame);
    return undefined;
  }

  #closeIdleTopic(topic: string, queue: TopicQueue): void {
    this.#inbound.updateFlow();
    if (queue.channel !== undefined || queue.isBusy || queue.length > 0) return;
    if (this.#topics.get(topic) !== queue) return;
    this.#topics.delete(topic);
    this.client.release(this.client.limits.channels);
    this.lastChannelAt = performance.now();
  }

  #handle(queue: TopicQueue, frame: Frame, isOverLimit: boolean): void | Promise<void> {
    if (this.#isClosing) return;
    const { channel } = queue;
    if (frame.event === 'phx_join') return this.#join(queue, frame);
    if (channel === undefined) return this.#replyUnmatched(frame);
    if (frame.event === 'phx_leave') return this.#leave(channel, frame);
    if (isOverLimit) return channel.end('MessagePerSecondRateLimitReached');
    try {
      return handlePush(this.#context, channel, frame)?.catch((error) => this.#crash(channel, error));
    } catch (error) {
      this.#crash(channel, error);
    }
  }

  async #join(queue: TopicQueue, frame: Frame): Promise<void> {
    const context = this.#context;
    const previous = queue.channel;
    previous?.close();
    previous?.sendClosed();
    const { limits, keys } = this.client;
    limits.turn.spend(JOIN_COST);
    if (limits.joins.take(keys, performance.now()) !== undefined) {
      this.#refuseJoin(frame, failure('ClientJoinRateLimitReached'));
      return this.close(CLOSE.policyViolation, failure('ClientJoinRateLimitReached').message);
    }
    try {
      const channel = await joinChannel({ context, port: this, frame, socketToken: this.#session.token });
      if (this.#isClosing || this.#connection.readyState !== this.#connection.OPEN) channel.close();
      if (channel.isClosed) return;
      queue.channel = channel;
      context.metrics.channels.inc();
    } catch (error) {
      this.#refuseJoin(frame, error);
    }
  }

  #leave(channel: Channel, frame: Frame): void {
    this.#reply(frame, 'ok', {});
    if (!channel.matchesJoin(frame.joinRef)) return;
    channel.close();
    channel.sendClosed();
  }

  /** Ends the channel with the reason of a refusal. After an internal error, the client rejoins automatically. */
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
