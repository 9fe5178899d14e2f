/** Which presences one node has, by topic. Pure. A change is given back as far as it is one: what is told twice counts once. */
import type { PresenceMessage } from '../hub/bus.ts';
import { type Topic, topicKey } from '../hub/topic.ts';
import type { Presence } from '../presence/presence.ts';
import type { PresenceRoom } from './wire.ts';

type Change = Pick<PresenceMessage, 'topic' | 'joins' | 'leaves'>;

interface Room {
  topic: Topic;
  byRef: Map<string, Presence>;
}

/** The presences of a node. */
export class PresenceBook {
  readonly #rooms = new Map<string, Room>();
  #size = 0;

  /** How many there are in all topics. */
  get size(): number {
    return this.#size;
  }

  /** Takes a change over, and gives what of it was news. */
  apply({ topic, joins, leaves }: Change): PresenceMessage {
    const room = this.#roomOf(topic);
    // Leaves are told as they joined: what a node says of them afterwards does not count.
    const left = leaves.flatMap(({ ref }) => room.byRef.get(ref) ?? []);
    for (const { ref } of left) room.byRef.delete(ref);
    const joined: Presence[] = [];
    for (const presence of joins) {
      if (room.byRef.has(presence.ref)) continue;
      room.byRef.set(presence.ref, presence);
      joined.push(presence);
    }
    this.#size += joined.length - left.length;
    if (room.byRef.size === 0) this.#rooms.delete(topicKey(topic));
    return { kind: 'presence', topic, joins: joined, leaves: left };
  }

  /** From now on there are these and no others. Gives what has changed. */
  replace(rooms: readonly PresenceRoom[]): PresenceMessage[] {
    const wanted = new Map<string, Room>();
    for (const { topic, presences } of rooms) {
      const room = wanted.get(topicKey(topic)) ?? { topic, byRef: new Map() };
      for (const presence of presences) room.byRef.set(presence.ref, presence);
      wanted.set(topicKey(topic), room);
    }
    const topics = new Map([...this.#rooms, ...wanted].map(([key, { topic }]) => [key, topic]));
    return [...topics].map(([key, topic]) => {
      const then = wanted.get(key)?.byRef ?? new Map<string, Presence>();
      const leaves = [...(this.#rooms.get(key)?.byRef.values() ?? [])].filter(({ ref }) => !then.has(ref));
      return this.apply({ topic, joins: [...then.values()], leaves });
    });
  }

  /** All of them. */
  rooms(): PresenceRoom[] {
    return [...this.#rooms.values()].map(({ topic, byRef }) => ({ topic, presences: [...byRef.values()] }));
  }

  #roomOf(topic: Topic): Room {
    const key = topicKey(topic);
    const known = this.#rooms.get(key);
    if (known !== undefined) return known;
    const room: Room = { topic, byRef: new Map() };
    this.#rooms.set(key, room);
    return room;
  }
}

/** Whether a change is none. */
export function isNoChange({ joins, leaves }: Change): boolean {
  return joins.length === 0 && leaves.length === 0;
}
