/** The presences of one node by topic. Pure. Updates are idempotent, and return only the effective changes. */
import type { PresenceMessage } from '../hub/bus.ts';
import { type Topic, topicKey } from '../hub/topic.ts';
import type { Presence } from '../presence/presence.ts';
import type { PresenceRoom } from './wire.ts';

type Change = Pick<PresenceMessage, 'topic' | 'joins' | 'leaves'>;

interface Room {
  topic: Topic;
  byRef: Map<string, Presence>;
}

/** The presences of one node. */
export class PresenceBook {
  readonly #rooms = new Map<string, Room>();
  #size = 0;

  /** Number of presences in all topics. */
  get size(): number {
    return this.#size;
  }

  /** Applies a change. Returns its effective part, without known joins and unknown leaves. */
  apply({ topic, joins, leaves }: Change): PresenceMessage {
    const room = this.#roomOf(topic);
    // Leaves are reported with the metadata of their join, whatever metadata the leave has.
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

  /** Replaces all presences. Returns the changes per topic. */
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

  /** Returns all presences by topic. */
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

/** Whether a change is empty. */
export function isNoChange({ joins, leaves }: Change): boolean {
  return joins.length === 0 && leaves.length === 0;
}
