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
  takeBroadcast(frame: Encoded, id: string | undefined): void;
  takePresenceDiff(frame: Encoded): void;
}

interface Room {
  topic: Topic;
  members: Set<Member>;
  deliveries: DeliveryQueue<Member>;
  presences: PresenceState;
  /** Presence changes that the next diff contains. */
  pending: PendingDiff | undefined;
}

/** The topics of this node that have members or presences. */
export class Hub {
  readonly #rooms = new Map<string, Room>();
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
    return this.#rooms.size;
  }

  /** Number of members of a topic on this node. */
  membersOf(topic: Topic): number {
    return this.#rooms.get(topicKey(topic))?.members.size ?? 0;
  }

  /** Whether messages of the topic are queued. */
  isBusy(topic: Topic): boolean {
    return this.#rooms.get(topicKey(topic))?.deliveries.isEmpty === false;
  }

  /** Number of presences in a topic, and their total size in characters. */
  presenceSizeOf(topic: Topic): { count: number; bytes: number } {
    return this.#rooms.get(topicKey(topic))?.presences.size ?? { count: 0, bytes: 0 };
  }

  /** Adds a member, which receives the messages of the topic from now on. */
  join(topic: Topic, member: Member): void {
    this.#roomOf(topic).members.add(member);
  }

  leave(topic: Topic, member: Member): void {
    const room = this.#rooms.get(topicKey(topic));
    if (room === undefined) return;
    room.members.delete(member);
    this.#forgetIfEmpty(room);
  }

  /** Sends a message to the members on all nodes. Has the same contract as {@link Bus.publish}. */
  publish(message: BusMessage): void | Promise<void> {
    return this.#bus.publish(message);
  }

  /** Delivers a message on this node only, for messages that each node reads from the database. */
  deliver(message: BusMessage, id?: string): void {
    if (message.kind === 'broadcast') this.#tell(message, id);
    else this.#change(message);
  }

  /** Returns the presences of a topic as JSON. Flushes pending changes first, so that no later diff repeats them. */
  presencesJson(topic: Topic): string {
    const room = this.#rooms.get(topicKey(topic));
    if (room === undefined) return '{}';
    this.#tellChanges(room);
    return room.presences.toJson();
  }

  /** Unsubscribes from the bus. */
  close(): void {
    this.#unsubscribe();
  }

  #tell({ topic, broadcast, except }: BroadcastMessage, id: string | undefined): void {
    const room = this.#rooms.get(topicKey(topic));
    if (room === undefined) return;
    const name = TOPIC_PREFIX + topic.name;
    const frameOf = oncePerVersion((version) =>
      broadcast.kind === 'user-broadcast'
        ? encodeUserBroadcast(version, name, broadcast)
        : encodeText(version, { ...NO_REFS, topic: name, event: 'broadcast', payload: broadcast.payload }),
    );
    const { length } = broadcast.kind === 'text' ? broadcast.payload : broadcast.bytes;
    room.deliveries.deliver(length, (member) => {
      if (member.id === except) return;
      const frame = frameOf(member.version);
      if (frame !== undefined) member.takeBroadcast(frame, id);
    });
    this.#onDelivered(room.members.size);
  }

  /** Collects the changes of one turn in one diff: otherwise n simultaneous joins would send n² messages. */
  #change({ topic, joins, leaves }: PresenceMessage): void {
    const room = this.#roomOf(topic);
    room.presences.apply({ joins, leaves });
    if (room.pending === undefined) {
      room.pending = new PendingDiff();
      setImmediate(() => this.#tellChanges(room));
    }
    room.pending.add({ joins, leaves });
  }

  #tellChanges(room: Room): void {
    const { topic, members, pending } = room;
    if (pending === undefined) return;
    room.pending = undefined;
    const diff = diffJson(pending);
    const frameOf = oncePerVersion((version) =>
      encodeText(version, {
        ...NO_REFS,
        topic: TOPIC_PREFIX + topic.name,
        event: 'presence_diff',
        payload: diff,
      }),
    );
    room.deliveries.deliver(diff.length, (member) => {
      const frame = frameOf(member.version);
      if (frame !== undefined) member.takePresenceDiff(frame);
    });
    this.#onDelivered(members.size);
    this.#forgetIfEmpty(room);
  }

  #roomOf(topic: Topic): Room {
    const key = topicKey(topic);
    const known = this.#rooms.get(key);
    if (known !== undefined) return known;
    const members = new Set<Member>();
    const room: Room = {
      topic,
      members,
      deliveries: new DeliveryQueue(members, this.#scheduler),
      presences: new PresenceState(),
      pending: undefined,
    };
    this.#rooms.set(key, room);
    return room;
  }

  #forgetIfEmpty({ topic, members, presences, pending }: Room): void {
    if (members.size === 0 && presences.isEmpty && pending === undefined) this.#rooms.delete(topicKey(topic));
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
