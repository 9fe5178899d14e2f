/**
 * The members and presences of each topic, and the delivery of messages to them. A message is encoded once per protocol
 * version, regardless of the number of receivers. The hub does not authorize: channels check who may join, send and
 * receive.
 */
import { encodeText, encodeUserBroadcast } from '../frames/encode.ts';
import type { Encoded, Version } from '../frames/frame.ts';
import { diffJson, PendingDiff, PresenceState } from '../presence/presence.ts';
import type { BroadcastMessage, Bus, BusMessage, PresenceMessage } from './bus.ts';
import { DeliveryQueue, DeliveryScheduler } from './deliveries.ts';
import { TOPIC_PREFIX, type Topic, topicKey } from './topic.ts';

/** The part of a channel that the hub uses. */
export interface Member {
  /** Unique across all nodes. */
  id: string;
  version: Version;
  /** Receives a broadcast. `id` is the id of its row in realtime.messages, if it has one. */
  receiveBroadcast(frame: Encoded, id: string | undefined): void;
  receivePresenceDiff(frame: Encoded): void;
}

interface TopicState {
  topic: Topic;
  members: Set<Member>;
  deliveries: DeliveryQueue<Member>;
  presences: PresenceState;
  /** Presence changes that the next diff contains. */
  pending: PendingDiff | undefined;
}

/** The topics of this node that have members or presences. */
export class Hub {
  readonly #topics = new Map<string, TopicState>();
  readonly #scheduler = new DeliveryScheduler();
  readonly #bus: Bus;
  readonly #unsubscribe: () => void;
  readonly #onDelivered: (count: number) => void;

  /** @param onDelivered called with the number of receivers of each message */
  constructor(bus: Bus, onDelivered: (count: number) => void = () => {}) {
    this.#bus = bus;
    this.#onDelivered = onDelivered;
    this.#unsubscribe = bus.subscribe((message) => this.deliver(message));
  }

  /** Number of topics with members or presences on this node. */
  get topics(): number {
    return this.#topics.size;
  }

  /** Number of members of a topic on this node. */
  membersOf(topic: Topic): number {
    return this.#topics.get(topicKey(topic))?.members.size ?? 0;
  }

  /** Whether messages of the topic are queued. */
  isBusy(topic: Topic): boolean {
    return this.#topics.get(topicKey(topic))?.deliveries.isEmpty === false;
  }

  /** Number of presences in a topic, and their total size in characters. */
  presenceSizeOf(topic: Topic): { count: number; bytes: number } {
    return this.#topics.get(topicKey(topic))?.presences.size ?? { count: 0, bytes: 0 };
  }

  /** Adds a member, which receives the messages of the topic from now on. */
  join(topic: Topic, member: Member): void {
    this.#stateOf(topic).members.add(member);
  }

  leave(topic: Topic, member: Member): void {
    const state = this.#topics.get(topicKey(topic));
    if (state === undefined) return;
    state.members.delete(member);
    this.#removeIfEmpty(state);
  }

  /** Sends a message to the members on all nodes. Has the same contract as {@link Bus.publish}. */
  publish(message: BusMessage): void | Promise<void> {
    return this.#bus.publish(message);
  }

  /** Delivers a message on this node only, for messages that each node reads from the database. */
  deliver(message: BusMessage, id?: string): void {
    if (message.kind === 'broadcast') this.#deliverBroadcast(message, id);
    else this.#applyPresence(message);
  }

  /** Returns the presences of a topic as JSON. Flushes pending changes first, so that no later diff repeats them. */
  presencesJson(topic: Topic): string {
    const state = this.#topics.get(topicKey(topic));
    if (state === undefined) return '{}';
    this.#flushPresence(state);
    return state.presences.toJson();
  }

  /** Unsubscribes from the bus. */
  close(): void {
    this.#unsubscribe();
  }

  #deliverBroadcast({ topic, broadcast, except }: BroadcastMessage, id: string | undefined): void {
    const state = this.#topics.get(topicKey(topic));
    if (state === undefined) return;
    const name = TOPIC_PREFIX + topic.name;
    const frameOf = oncePerVersion((version) =>
      broadcast.kind === 'user-broadcast'
        ? encodeUserBroadcast(version, name, broadcast)
        : encodeText(version, { ...NO_REFS, topic: name, event: 'broadcast', payload: broadcast.payload }),
    );
    const { length } = broadcast.kind === 'text' ? broadcast.payload : broadcast.bytes;
    state.deliveries.deliver(length, (member) => {
      if (member.id === except) return;
      const frame = frameOf(member.version);
      if (frame !== undefined) member.receiveBroadcast(frame, id);
    });
    this.#onDelivered(state.members.size);
  }

  /** Collects the changes of one turn in one diff: otherwise n simultaneous joins would send n² messages. */
  #applyPresence({ topic, joins, leaves }: PresenceMessage): void {
    const state = this.#stateOf(topic);
    state.presences.apply({ joins, leaves });
    if (state.pending === undefined) {
      state.pending = new PendingDiff();
      setImmediate(() => this.#flushPresence(state));
    }
    state.pending.add({ joins, leaves });
  }

  #flushPresence(state: TopicState): void {
    const { topic, members, pending } = state;
    if (pending === undefined) return;
    state.pending = undefined;
    const diff = diffJson(pending);
    const frameOf = oncePerVersion((version) =>
      encodeText(version, {
        ...NO_REFS,
        topic: TOPIC_PREFIX + topic.name,
        event: 'presence_diff',
        payload: diff,
      }),
    );
    state.deliveries.deliver(diff.length, (member) => {
      const frame = frameOf(member.version);
      if (frame !== undefined) member.receivePresenceDiff(frame);
    });
    this.#onDelivered(members.size);
    this.#removeIfEmpty(state);
  }

  #stateOf(topic: Topic): TopicState {
    const key = topicKey(topic);
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const members = new Set<Member>();
    const state: TopicState = {
      topic,
      members,
      deliveries: new DeliveryQueue(members, this.#scheduler),
      presences: new PresenceState(),
      pending: undefined,
    };
    this.#topics.set(key, state);
    return state;
  }

  #removeIfEmpty({ topic, members, presences, pending }: TopicState): void {
    if (members.size === 0 && presences.isEmpty && pending === undefined)
      this.#topics.delete(topicKey(topic));
  }
}

/** A message to many members refers to no single join or push. */
const NO_REFS = { joinRef: null, ref: null };

function oncePerVersion(encode: (version: Version) => Encoded | undefined) {
  const frames = new Map<Version, Encoded | undefined>();
  return (version: Version) => {
    if (!frames.has(version)) frames.set(version, encode(version));
    return frames.get(version);
  };
}
