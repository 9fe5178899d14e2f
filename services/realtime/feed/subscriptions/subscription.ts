/** Indexes subscriptions by table name, so that the candidates for a change are found without a scan. */

import type { ChangeDelivery, Identity } from '../feed.ts';
import type { Relation, RowChange } from '../replication/pgoutput.ts';
import type { SubscriptionParams } from './parse.ts';

/** The subscription of one channel. */
export interface Subscription {
  readonly identity: Identity;
  /** The client that subscribes; undefined if unknown. */
  readonly owner: string | undefined;
  readonly deliver: (delivery: ChangeDelivery) => void;
  readonly entries: readonly SubscriptionEntry[];
  isClosed: boolean;
}

/** One `postgres_changes` entry of a channel. */
export interface SubscriptionEntry {
  readonly id: number;
  readonly params: SubscriptionParams;
  readonly subscription: Subscription;
}

/** A change with the entries that match it, or with the candidates to match. */
export interface Match {
  change: RowChange;
  entries: readonly SubscriptionEntry[];
}

/** The index of all subscriptions of a feed. */
export interface SubscriptionRegistry {
  add(subscription: Subscription): void;
  remove(subscription: Subscription): void;
  /** Whether the table has a subscription. */
  hasSubscribers(relation: Relation): boolean;
  /** Returns the entries whose table and event match, in insertion order. */
  entriesOf(relation: Relation, type: RowChange['type']): SubscriptionEntry[];
}

export function createRegistry(): SubscriptionRegistry {
  const byName = new Map<string, Set<SubscriptionEntry>>();
  /** Cached results, because each change of the log needs one. Reset when an entry is added or removed. */
  let subscribed = new WeakMap<Relation, boolean>();

  function setsOf({ schema, table }: Relation): Set<SubscriptionEntry>[] {
    const names = [nameOf(schema, table), nameOf(schema, '*'), nameOf('*', table), nameOf('*', '*')];
    return names.flatMap((name) => byName.get(name) ?? []);
  }

  return {
    add({ entries }) {
      subscribed = new WeakMap();
      for (const entry of entries) {
        const name = nameOf(entry.params.schema, entry.params.table);
        const entriesOfName = byName.get(name) ?? new Set();
        byName.set(name, entriesOfName.add(entry));
      }
    },
    remove(subscription) {
      subscription.isClosed = true;
      subscribed = new WeakMap();
      for (const entry of subscription.entries) {
        const name = nameOf(entry.params.schema, entry.params.table);
        const entriesOfName = byName.get(name);
        entriesOfName?.delete(entry);
        if (entriesOfName?.size === 0) byName.delete(name);
      }
    },
    hasSubscribers(relation) {
      const known = subscribed.get(relation);
      if (known !== undefined) return known;
      const hasSubscribers = setsOf(relation).length > 0;
      subscribed.set(relation, hasSubscribers);
      return hasSubscribers;
    },
    entriesOf: (relation, type) =>
      setsOf(relation)
        .flatMap((entries) => [...entries])
        .filter(({ params }) => params.event === '*' || params.event === type),
  };
}

/** A zero byte is a safe separator: no name in PostgreSQL contains it. */
function nameOf(schema: string, table: string): string {
  return `${schema}\0${table}`;
}
