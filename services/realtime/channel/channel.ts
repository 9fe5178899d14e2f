/**
 * One joined channel of one socket: receives the messages of its topic, holds its session and ends. ./join.ts creates
 * channels, and ./push.ts handles the pushes of the client.
 */
import { CatalogueError } from '@greenroom/errors';
import type { Permissions } from '../authorize/policies.ts';
import type { ReplayedMessage } from '../authorize/replay.ts';
import type { Session } from '../authorize/token.ts';
import { expiredText } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure, type RealtimeErrorCode } from '../errors.ts';
import type { Encoded, Version } from '../frames/frame.ts';
import { deliveryCost } from '../hub/deliveries.ts';
import type { Member } from '../hub/hub.ts';
import type { Topic } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';
import { diffBytes, type PresenceDiff } from '../presence/presence.ts';
import { echo, identify } from './change-ids.ts';
import type { ChangeSubscription } from './change-subscription.ts';
import { createChangeSubscription } from './channel-changes.ts';
import { ChannelFrames } from './channel-frames.ts';
import { ChannelPresence } from './channel-presence.ts';
import type { JoinParams } from './join-params.ts';
import { ChannelPermissions } from './permissions.ts';
import { PresenceSize } from './presence-size.ts';
import { TokenExpiry } from './token-expiry.ts';

/** Maximum number of broadcasts that are buffered until the reply to the join is sent. */
const MAX_BUFFERED = 1000;

/** The part of a socket that its channels use. */
export interface ChannelPort {
  version: Version;
  /** JSON of the handshake's headers, for policies. */
  headers: string;
  /** Limits of the client behind the socket. */
  client: SocketClient;
  send(frame: Encoded): void;
  /** Notes the user of a verified token. @param subject the claim `sub`; empty for anonymous clients */
  signIn(subject: string): void;
  /** Removes a channel that has ended. */
  removeChannel(channel: Channel): void;
}

/** Options of {@link Channel}. */
interface ChannelOptions {
  context: Context;
  port: ChannelPort;
  topic: Topic;
  joinRef: string | null;
  params: JoinParams;
  session: Session;
  /** Read permissions of the session. */
  permissions: Permissions;
}

/** A joined channel. It buffers broadcasts and sends nothing until {@link Channel.open} is called. */
export class Channel implements Member {
  readonly id: string;
  readonly version: Version;
  readonly topic: Topic;
  readonly params: JoinParams;
  readonly presence: ChannelPresence;
  readonly #context: Context;
  readonly #port: ChannelPort;
  readonly #frames: ChannelFrames;
  readonly #permissions: ChannelPermissions;
  readonly #presenceSize: PresenceSize;
  readonly #changes: ChangeSubscription | undefined;
  readonly #echo: Record<string, unknown>[];
  readonly #tokenExpiry: TokenExpiry;
  readonly #closing = new AbortController();
  /** Broadcasts received before the channel was opened; undefined afterwards. */
  #buffered: { frame: Encoded; id: string | undefined }[] | undefined = [];
  #replayed = new Set<string>();

  constructor({ context, port, topic, joinRef, params, session, permissions }: ChannelOptions) {
    this.#context = context;
    this.#port = port;
    this.id = context.newId();
    this.version = port.version;
    this.topic = topic;
    this.params = params;
    this.presence = new ChannelPresence(
      params.presence.key ?? crypto.randomUUID(),
      context.newId,
      context.config.clientPresence,
    );
    this.#frames = new ChannelFrames(port, topic.name, joinRef);
    const isPresenceEnabled = params.presence.isEnabled;
    const read = permissions;
    this.#permissions = new ChannelPermissions({ context, port, topic, session, read, isPresenceEnabled });
    this.#presenceSize = new PresenceSize(context, port.client, topic);
    this.#tokenExpiry = new TokenExpiry({
      checkMs: context.timings.tokenCheckMs,
      onExpired: (at) => this.end('InvalidJWTToken', expiredText(at, Date.now())),
    });
    const entries = identify(params.changes);
    this.#echo = params.isLegacy ? [] : echo(entries);
    const { isLegacy } = params;
    this.#changes = createChangeSubscription({ context, port, frames: this.#frames, entries, isLegacy });
    context.hub.join(topic, this);
  }

  /** Keys that limits count the client under. */
  get clientKeys(): readonly string[] {
    return this.#port.client.keys;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether a frame with this join ref belongs to this join and not to an earlier one of the topic. */
  matchesJoin(joinRef: string | null): boolean {
    return this.#frames.matchesJoin(joinRef);
  }

  /** Replies to the join, then sends the presence state, the replayed messages and the buffered broadcasts. */
  open(ref: string | null, replayed: readonly ReplayedMessage[]): void {
    this.reply(ref, 'ok', { postgres_changes: this.#echo });
    if (this.#permissions.receivesPresence) {
      const state = this.#context.hub.presencesJson(this.topic);
      this.#context.limits.bytes.charge(this.clientKeys, performance.now(), state.length);
      this.#frames.presenceState(state);
    }
    for (const message of replayed) {
      this.#replayed.add(message.id);
      this.#frames.replay(message);
    }
    const buffered = this.#buffered ?? [];
    this.#buffered = undefined;
    for (const { frame, id } of buffered) this.receiveBroadcast(frame, id);
    this.#watchSession();
    if (this.params.broadcast.awaitsReplication) void this.#reportReplication();
  }

  receiveBroadcast(frame: Encoded, id: string | undefined): void {
    if (!this.#permissions.receivesBroadcasts) return;
    if (this.#buffered !== undefined) this.#buffer(frame, id);
    else if (id === undefined || !this.#replayed.has(id)) this.#port.send(frame);
  }

  receivePresenceDiff(frame: Encoded): void {
    if (this.#buffered === undefined && this.#permissions.receivesPresence) this.#port.send(frame);
  }

  /** Sends the reply to a push. */
  reply(ref: string | null, status: 'ok' | 'error', response: unknown): void {
    this.#frames.reply(ref, status, response);
  }

  /** Whether the client may send messages of this kind. Policies are evaluated once per token. */
  canWrite(extension: keyof Permissions): boolean | Promise<boolean> {
    return this.#permissions.canWrite(extension);
  }

  /** Lets the client receive the presence of others from now on, if policies permit it. */
  enablePresence(): Promise<void> {
    return this.#permissions.enablePresence();
  }

  /** Publishes a change of this channel's presence to the topic. */
  publishPresence(diff: PresenceDiff | undefined): void {
    if (diff === undefined) return;
    this.chargeDelivery(diffBytes(diff));
    void this.#context.hub.publish({ kind: 'presence', topic: this.topic, ...diff });
  }

  /** Charges the client for a message that goes to all members on this node. */
  chargeDelivery(bytes: number): void {
    const { hub, limits } = this.#context;
    const cost = deliveryCost(hub.membersOf(this.topic), bytes);
    limits.events.chargeClient(this.clientKeys, performance.now(), cost);
  }

  /** Reserves memory for a presence payload. Returns false and keeps the previous reservation if a limit is reached. */
  reservePresence(bytes: number): boolean {
    return this.#presenceSize.reserve(bytes);
  }

  /** Removes the presence of this channel, if it has one. */
  untrack(): void {
    this.publishPresence(this.presence.untrack());
    this.reservePresence(0);
  }

  /** Replaces the token. The channel ends if the new one is invalid or does not permit to read. */
  async changeToken(token: string): Promise<void> {
    if (token === this.#permissions.session.token) return;
    const { client } = this.#port;
    // Each new token costs about as much as a join.
    if (client.limits.joins.take(client.keys, performance.now()) !== undefined) {
      return this.end('ClientJoinRateLimitReached');
    }
    try {
      const session = await this.#context.readToken(token);
      this.#port.signIn(session.subject);
      await this.#permissions.changeSession(session);
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      this.end(error.code as RealtimeErrorCode, error.message);
      return;
    }
    if (!this.isClosed) this.#watchSession();
  }

  /** Ends the channel with a reason for the client, which does not rejoin automatically. */
  end(code: RealtimeErrorCode, message = failure(code).message): void {
    if (this.isClosed) return;
    this.#context.metrics.closed.inc({ code });
    this.#frames.system('system', 'error', message);
    this.close();
    this.sendClosed();
  }

  /** Ends the channel because of an internal error. The client rejoins automatically. */
  crash(): void {
    if (this.isClosed) return;
    this.close();
    this.#frames.crashed();
  }

  /** Ends the channel without sending a frame. */
  close(): void {
    if (this.isClosed) return;
    this.#closing.abort();
    this.#tokenExpiry.stop();
    this.#changes?.close();
    this.#context.hub.leave(this.topic, this);
    this.untrack();
    this.#port.removeChannel(this);
  }

  /** Sends `phx_close`, the last frame of a channel. */
  sendClosed(): void {
    this.#frames.closed();
  }

  /** Subscribes to database changes with the current session, and ends the channel when its token expires. */
  #watchSession(): void {
    const { session } = this.#permissions;
    this.#changes?.start(session);
    this.#tokenExpiry.watch(session.expiresAt);
  }

  /** Buffers a broadcast. Closes the channel if the buffer is full, because it could not deliver all of them. */
  #buffer(frame: Encoded, id: string | undefined): void {
    if ((this.#buffered?.length ?? 0) >= MAX_BUFFERED) this.close();
    else this.#buffered?.push({ frame, id });
  }

  async #reportReplication(): Promise<void> {
    const { feed, timings } = this.#context;
    const timeout = AbortSignal.timeout(timings.replicationReadyMs);
    try {
      if (feed === undefined) throw new Error('the server does not replicate');
      await feed.waitUntilStreaming(AbortSignal.any([timeout, this.#closing.signal]));
      if (!this.isClosed) this.#frames.system('system', 'ok', 'Replication connection established');
    } catch {
      this.end('ReplicationTimeout');
    }
  }
}
