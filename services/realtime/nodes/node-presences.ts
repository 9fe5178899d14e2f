/** The presences of one node by topic. Pure. Updates are idempotent, and return only the effective changes. */
import type { PresenceMessage } from '../hub/bus.ts';
import { type Topic, topicKey } from '../hub/topic.ts';
import type { Presence } from '../presence/presence.ts';
import type { TopicPresences } from './wire.ts';

type Change = Pick<PresenceMessage, 'topic' | 'joins' | 'leaves'>;

interface TopicIndex {
  topic: Topic;
  byRef: Map<string, Presence>;
}

/** The presences of one node. */
export class NodePresences {
  readonly #topics = new Map<string, TopicIndex>();
  #size = 0;

  /** Number of presences in all topics. */
  get size(): number {
    return this.#size;
  }

  /** Applies a change. Returns its effective part, without known joins and unknown leaves. */
  apply({ topic, joins, leaves }: Change): PresenceMessage {
    const index = this.#indexOf(topic);
    // Leaves are reported with the metadata of their join, and not with that of the leave.
    const left = leaves.flatMap(({ ref }) => index.byRef.get(ref) ?? []);
    for (const { ref } of left) index.byRef.delete(ref);
    const joined: Presence[] = [];
    for (const presence of joins) {
      if (index.byRef.has(presence.ref)) continue;
      index.byRef.set(presence.ref, presence);
      joined.push(presence);
    }
    this.#size += joined.length - left.length;
    if (index.byRef.size === 0) this.#topics.delete(topicKey(topic));
    return { kind: 'presence', topic, joins: joined, leaves: left };
  }

  /** Replaces all presences. Returns the changes per topic. */
  replace(presencesByTopic: readonly TopicPresences[]): PresenceMessage[] {
    const target = new Map<string, TopicIndex>();
    for (const { topic, presences } of presencesByTopic) {
      const index = target.get(topicKey(topic)) ?? { topic, byRef: new Map() };
      for (const presence of presences) index.byRef.set(presence.ref, presence);
      target.set(topicKey(topic), index);
    }
    const topics = new Map([...this.#topics, ...target].map(([key, { topic }]) => [key, topic]));
    return [...topics].map(([key, topic]) => {
      const next = target.get(key)?.byRef ?? new Map<string, Presence>();
      const leaves = [...(this.#topics.get(key)?.byRef.values() ?? [])].filter(({ ref }) => !next.has(ref));
      return this.apply({ topic, joins: [...next.values()], leaves });
    });
  }

  /** Returns all presences by topic. */
  byTopic(): TopicPresences[] {
    return [...this.#topics.values()].map(({ topic, byRef }) => ({ topic, presences: [...byRef.values()] }));
  }

  #indexOf(topic: Topic): TopicIndex {
    const key = topicKey(topic);
    const known = this.#topics.get(key);
    if (known !== undefined) return known;
    const index: TopicIndex = { topic, byRef: new Map() };
    this.#topics.set(key, index);
    return index;
  }
}

/** Whether a change is empty. */
export function isEmptyChange({ joins, leaves }: Change): boolean {
  return joins.length === 0 && leaves.length === 0;
}
