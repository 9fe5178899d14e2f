/**
 * One joined channel of one socket: what its client may hear and say, and how it ends. Pushes are handled by modules of
 * their own; joining is {@link ./join.ts}.
 */
import { CatalogueError } from '@greenroom/errors';
import { runCheck } from '../authorize/checks.ts';
import { type Permissions, type Question, readPermissions, writePermissions } from '../authorize/policies.ts';
import type { ReplayedMessage } from '../authorize/replay.ts';
import type { Session } from '../authorize/token.ts';
import { expiredText } from '../authorize/token.ts';
import type { Context } from '../context.ts';
import { failure, type RealtimeErrorCode } from '../errors.ts';
import type { ChangeDelivery } from '../feed/feed.ts';
import { broadcastPayload, encodeReply, encodeText, encodeUserBroadcast } from '../frames/encode.ts';
import { ENCODING, type Encoded, type Version } from '../frames/frame.ts';
import { deliveryCost } from '../hub/deliveries.ts';
import type { Member } from '../hub/hub.ts';
import { TOPIC_PREFIX, type Topic } from '../hub/topic.ts';
import type { SocketClient } from '../limits/client.ts';
import { diffBytes, type PresenceDiff } from '../presence/presence.ts';
import { ChangeAdmission } from './change-admission.ts';
import { echo, identify } from './change-ids.ts';
import { ChangeSubscription } from './change-subscription.ts';
import type { JoinParams } from './join-params.ts';
import { ChannelPresence } from './presence-of-channel.ts';
import { TokenLife } from './token-life.ts';

/** So many broadcasts may come while a join is under way. */
const MAX_HELD = 1000;
const EVERYTHING: Permissions = { broadcast: true, presence: true };

/** The socket, as its channels see it. */
export interface ChannelPort {
  version: Version;
  /** JSON of headers of the handshake, for policies. */
  headers: string;
  /** Limits of the client behind the socket. */
  client: SocketClient;
  send(frame: Encoded): void;
  /** The channel is no more. */
  forget(channel: Channel): void;
}

/** What a channel is made of. */
interface ChannelOptions {
  context: Context;
  port: ChannelPort;
  topic: Topic;
  joinRef: string | null;
  params: JoinParams;
  session: Session;
  /** What it may hear. */
  permissions: Permissions;
}

/** Extensions that system messages speak of. */
type SystemExtension = 'system' | 'postgres_changes';

/** A joined channel. Silent until it is opened. */
export class Channel implements Member {
  readonly id: string;
  readonly version: Version;
  readonly topic: Topic;
  readonly params: JoinParams;
  readonly presence: ChannelPresence;
  readonly #context: Context;
  readonly #port: ChannelPort;
  readonly #joinRef: string | null;
  readonly #changes: ChangeSubscription | undefined;
  readonly #echo: Record<string, unknown>[];
  readonly #tokenLife: TokenLife;
  readonly #closing = new AbortController();
  #session: Session;
  #presenceBytes = 0;
  #canRead: Permissions;
  #canWrite: Permissions | undefined;
  #hearsPresence: boolean;
  /** Broadcasts that came while the join was under way. */
  #held: { frame: Encoded; id: string | undefined }[] | undefined = [];
  #replayed = new Set<string>();

  constructor({ context, port, topic, joinRef, params, session, permissions }: ChannelOptions) {
    this.#context = context;
    this.#port = port;
    this.#joinRef = joinRef;
    this.#session = session;
    this.#canRead = permissions;
    this.#hearsPresence = params.presence.isEnabled;
    this.id = context.newId();
    this.version = port.version;
    this.topic = topic;
    this.params = params;
    this.presence = new ChannelPresence(
      params.presence.key ?? crypto.randomUUID(),
      context.newId,
      context.config.clientPresence,
    );
    this.#tokenLife = new TokenLife({
      checkMs: context.timings.tokenCheckMs,
      onExpired: (at) => this.end('InvalidJWTToken', expiredText(at, Date.now())),
    });
    const entries = identify(params.changes);
    this.#echo = params.isLegacy ? [] : echo(entries);
    this.#changes = entries.length === 0 ? undefined : this.#subscriptionOf(entries);
    context.hub.join(topic, this);
  }

  /** Keys that limits count the client under. */
  get clientKeys(): readonly string[] {
    return this.#port.client.keys;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Whether a frame with this ref is about this join, and not about one before. */
  isOf(joinRef: string | null): boolean {
    return joinRef === null || this.#joinRef === null || joinRef === this.#joinRef;
  }

  /** The join is answered, and what was said meanwhile is told. */
  open(ref: string | null, replayed: readonly ReplayedMessage[]): void {
    this.reply(ref, 'ok', { postgres_changes: this.#echo });
    if (this.#hearsPresence && this.#canRead.presence) {
      const state = this.#context.hub.presencesJson(this.topic);
      this.#context.limits.bytes.charge(this.clientKeys, performance.now(), state.length);
      this.#pushText('presence_state', state);
    }
    for (const message of replayed) this.#replay(message);
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const { frame, id } of held) this.takeBroadcast(frame, id);
    this.#changes?.start(this.#session);
    if (this.params.broadcast.awaitsReplication) void this.#tellReplication();
    this.#tokenLife.watch(this.#session.expiresAt);
  }

  takeBroadcast(frame: Encoded, id: string | undefined): void {
    if (!this.#canRead.broadcast) return;
    if (this.#held !== undefined) this.#hold(frame, id);
    else if (id === undefined || !this.#replayed.has(id)) this.#port.send(frame);
  }

  takePresenceDiff(frame: Encoded): void {
    if (this.#held === undefined && this.#hearsPresence && this.#canRead.presence) this.#port.send(frame);
  }

  /** Answers a push. */
  reply(ref: string | null, status: 'ok' | 'error', response: unknown): void {
    const frame = { joinRef: this.#joinRef, ref, topic: this.#fullTopic, status, response };
    this.#port.send(encodeReply(this.version, frame));
  }

  /** Whether the client may say anything of this kind; asked of policies once for each token. */
  canWrite(extension: keyof Permissions): boolean | Promise<boolean> {
    const known = this.topic.isPrivate ? this.#canWrite : EVERYTHING;
    return known === undefined ? this.#askWrite().then((can) => can[extension]) : known[extension];
  }

  /** From now on the channel hears of others' presence, as far as it may. */
  async turnPresenceOn(): Promise<void> {
    if (this.#hearsPresence) return;
    if (this.topic.isPrivate) this.#canRead = await this.#askRead(this.#session, true);
    this.#hearsPresence = true;
  }

  /** Tells the topic what has changed about this channel. */
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

  /**
   * Makes room for a presence payload of this size, in the client's share and in the topic. Returns false where there is
   * none; the payload before counts on.
   */
  reservePresence(bytes: number): boolean {
    const { config, hub, limits } = this.#context;
    const { client } = this.#port;
    const more = bytes - this.#presenceBytes;
    if (more > 0) {
      const state = hub.presenceSizeOf(this.topic);
      const isFull = state.bytes + more > config.maxTopicPresenceBytes;
      // A full topic still takes payloads of an average size: large ones must not shut out small ones.
      if (isFull && bytes > config.maxTopicPresenceBytes / (state.count + 1)) return false;
      if (client.take(limits.presenceBytes, more) !== undefined) return false;
    } else client.release(limits.presenceBytes, -more);
    this.#presenceBytes = bytes;
    return true;
  }

  /** Takes the presence of this channel away, if there is one. */
  untrack(): void {
    this.publishPresence(this.presence.untrack());
    this.reservePresence(0);
  }

  /** Another token: everything that was allowed to the last one is asked about anew. */
  async changeToken(token: string): Promise<void> {
    if (token === this.#session.token) return;
    const { client } = this.#port;
    // Each new token costs about as much as a join.
    if (client.limits.joins.take(client.keys, performance.now()) !== undefined) {
      return this.end('ClientJoinRateLimitReached');
    }
    try {
      const session = await this.#context.readToken(token);
      client.signIn(session.subject);
      if (this.topic.isPrivate) await this.#requireRead(session);
      this.#session = session;
    } catch (error) {
      if (!(error instanceof CatalogueError)) throw error;
      this.end(error.code as RealtimeErrorCode, error.message);
      return;
    }
    if (this.isClosed) return;
    this.#canWrite = undefined;
    this.#tokenLife.watch(this.#session.expiresAt);
    this.#changes?.start(this.#session);
  }

  /** Tells the client something about its channel. */
  system(extension: SystemExtension, status: 'ok' | 'error', message: string): void {
    this.#pushText('system', JSON.stringify({ extension, status, message, channel: this.topic.name }));
  }

  /** Ends the channel for a reason that is told. The client does not come back by itself. */
  end(code: RealtimeErrorCode, message = failure(code).message): void {
    if (this.isClosed) return;
    this.#context.metrics.closed.inc({ code });
    this.system('system', 'error', message);
    this.close();
    this.tellClosed();
  }

  /** Ends the channel because of a failure of ours. The client joins again. */
  crash(): void {
    if (this.isClosed) return;
    this.close();
    this.#pushText('phx_error', '{}', this.#joinRef);
  }

  /** Ends the channel silently. */
  close(): void {
    if (this.isClosed) return;
    this.#closing.abort();
    this.#tokenLife.stop();
    this.#changes?.close();
    this.#context.hub.leave(this.topic, this);
    this.untrack();
    this.#port.forget(this);
  }

  /** The last thing that a client hears of a channel. */
  tellClosed(): void {
    this.#pushText('phx_close', '{}', this.#joinRef);
  }

  get #fullTopic(): string {
    return TOPIC_PREFIX + this.topic.name;
  }

  #pushText(event: string, payload: string | Buffer, ref: string | null = null): void {
    const frame = { joinRef: this.#joinRef, ref, topic: this.#fullTopic, event, payload };
    this.#port.send(encodeText(this.version, frame));
  }

  /** Whoever is told so much before the join is answered cannot be told all of it. */
  #hold(frame: Encoded, id: string | undefined): void {
    if ((this.#held?.length ?? 0) >= MAX_HELD) this.close();
    else this.#held?.push({ frame, id });
  }

  #replay({ id, broadcast }: ReplayedMessage): void {
    this.#replayed.add(id);
    if (broadcast.encoding === ENCODING.json) {
      this.#pushText('broadcast', broadcastPayload(broadcast));
      return;
    }
    const frame = encodeUserBroadcast(this.version, this.#fullTopic, broadcast);
    if (frame !== undefined) this.#port.send(frame);
  }

  async #askWrite(): Promise<Permissions> {
    const session = this.#session;
    const { database, limits } = this.#context;
    const can = await runCheck(limits.policyChecks, this.clientKeys, () =>
      writePermissions(database, this.#question(session, true), this.#onPolicyError),
    );
    if (session === this.#session) this.#canWrite = can;
    return can;
  }

  #askRead(session: Session, asksPresence: boolean): Promise<Permissions> {
    const { database, limits } = this.#context;
    return runCheck(limits.policyChecks, this.clientKeys, () =>
      readPermissions(database, this.#question(session, asksPresence), this.#onPolicyError),
    );
  }

  async #requireRead(session: Session): Promise<void> {
    const can = await this.#askRead(session, this.#hearsPresence);
    const lost =
      (this.#canRead.broadcast && !can.broadcast) ||
      (this.#hearsPresence && this.#canRead.presence && !can.presence);
    if (lost) {
      const message = `You no longer have permission to read from this Channel topic: ${this.topic.name}`;
      throw failure('Unauthorized', { message });
    }
    this.#canRead = can;
  }

  #question(session: Session, asksPresence: boolean): Question {
    return { topic: this.topic.name, session, headers: this.#port.headers, asksPresence };
  }

  readonly #onPolicyError = (error: Error): void => {
    this.#context.log.warn({ err: error }, 'a policy on realtime.messages failed, which counts as a no');
  };

  #subscriptionOf(entries: ReturnType<typeof identify>): ChangeSubscription {
    return new ChangeSubscription({
      feed: this.#context.feed,
      entries,
      admission: new ChangeAdmission(this.#port.client, entries.length),
      pauseMs: this.#context.timings.resubscribeMs,
      listener: {
        deliver: (delivery) => this.#takeChange(delivery),
        onActive: () => this.system('postgres_changes', 'ok', 'Subscribed to PostgreSQL'),
        onInactive: (message) => this.system('postgres_changes', 'error', message),
        onTrouble: (error) => this.#context.log.error({ err: error }, 'database changes cannot be had'),
      },
    });
  }

  #takeChange(delivery: ChangeDelivery): void {
    const { limits, metrics, changeFrames } = this.#context;
    if (limits.dbEvents.take(this.clientKeys, performance.now()) !== undefined) {
      metrics.dropped.inc({ kind: 'database change' });
      return;
    }
    metrics.delivered.inc();
    const { isLegacy } = this.params;
    this.#port.send(changeFrames.of(delivery, { version: this.version, topic: this.#fullTopic, isLegacy }));
  }

  async #tellReplication(): Promise<void> {
    const { feed, timings } = this.#context;
    const late = AbortSignal.timeout(timings.replicationReadyMs);
    try {
      if (feed === undefined) throw new Error('there is no stream');
      await feed.untilStreaming(AbortSignal.any([late, this.#closing.signal]));
      if (!this.isClosed) this.system('system', 'ok', 'Replication connection established');
    } catch {
      this.end('ReplicationTimeout');
    }
  }
}
