/**
 * Who is in which topic, and what they are told. A message is encoded once for each version of the protocol, however
 * many receive it. Not in charge of who may join, send or hear.
 */
import { encodeText, encodeUserBroadcast } from '../frames/encode.ts';
import type { Encoded, Version } from '../frames/frame.ts';
import { diffJson, PendingDiff, PresenceState } from '../presence/presence.ts';
import type { BroadcastMessage, Bus, BusMessage, PresenceMessage } from './bus.ts';
import { DeliveryQueue, DeliveryScheduler } from './deliveries.ts';
import { TOPIC_PREFIX, type Topic, topicKey } from './topic.ts';

/** A channel, as the hub sees it. */
export interface Member {
  /** Unique among all nodes. */
  id: string;
  version: Version;
  /** Takes a broadcast; `id` is that of its row in realtime.messages, if it has one. */
  takeBroadcast(frame: Encoded, id: string | undefined): void;
  takePresenceDiff(frame: Encoded): void;
}

interface Room {
  topic: Topic;
  members: Set<Member>;
  deliveries: DeliveryQueue<Member>;
  presences: PresenceState;
  /** Changes of presence that members are told of in a moment. */
  pending: PendingDiff | undefined;
}

/** The topics of this node. */
export class Hub {
  readonly #rooms = new Map<string, Room>();
  readonly #scheduler = new DeliveryScheduler();
  readonly #bus: Bus;
  readonly #unsubscribe: () => void;
  readonly #onDelivered: (count: number) => void;

  /** @param onDelivered told how many a message has gone to */
  constructor(bus: Bus, onDelivered: (count: number) => void = () => {}) {
    this.#bus = bus;
    this.#onDelivered = onDelivered;
    this.#unsubscribe = bus.subscribe((message) => this.deliver(message));
  }

  /** How many topics have members here. */
  get topics(): number {
    return this.#rooms.size;
  }

  /** How many members a topic has on this node. */
  membersOf(topic: Topic): number {
    return this.#rooms.get(topicKey(topic))?.members.size ?? 0;
  }

  /** Whether messages of a topic wait to be delivered. */
  isBusy(topic: Topic): boolean {
    return this.#rooms.get(topicKey(topic))?.deliveries.isEmpty === false;
  }

  /** Presence state of a topic: how many presences, and their size in characters. */
  presenceSizeOf(topic: Topic): { count: number; bytes: number } {
    return this.#rooms.get(topicKey(topic))?.presences.size ?? { count: 0, bytes: 0 };
  }

  /** From now on the member hears what is said in the topic. */
  join(topic: Topic, member: Member): void {
    this.#roomOf(topic).members.add(member);
  }

  leave(topic: Topic, member: Member): void {
    const room = this.#rooms.get(topicKey(topic));
    if (room === undefined) return;
    room.members.delete(member);
    this.#forgetIfEmpty(room);
  }

  /** Tells all members on all nodes, as {@link Bus.publish} does. */
  publish(message: BusMessage): void | Promise<void> {
    return this.#bus.publish(message);
  }

  /** Tells the members on this node only: of what every node comes to know by itself. */
  deliver(message: BusMessage, id?: string): void {
    if (message.kind === 'broadcast') this.#tell(message, id);
    else this.#change(message);
  }

  /** JSON of who is in a topic. Whoever is told this is not told of the same changes afterwards. */
  presencesJson(topic: Topic): string {
    const room = this.#rooms.get(topicKey(topic));
    if (room === undefined) return '{}';
    this.#tellChanges(room);
    return room.presences.toJson();
  }

  /** Hears nothing from the bus any more. */
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

  /** A crowd that comes or goes at once is told of in one go, and not each of all the others. */
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

/** What goes to many belongs to nobody's join. */
const NO_REFS = { joinRef: null, ref: null };

function oncePerVersion(encode: (version: Version) => Encoded | undefined) {
  const frames = new Map<Version, Encoded | undefined>();
  return (version: Version) => {
    if (!frames.has(version)) frames.set(version, encode(version));
    return frames.get(version);
  };
}
