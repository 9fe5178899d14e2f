/** The lanes of a feed: one for each pair of role and claims that somebody has subscribed with. */
import type { Identity } from './feed.ts';
import type { Lane } from './lane.ts';
import type { SubscriptionEntry } from './subscriptions/subscription.ts';

/** Lanes in use. */
interface Lanes {
  /** A channel begins to use the lane of its identity; the lane is there until all have left it. */
  enter(identity: Identity): void;
  leave(identity: Identity): void;
  /** Entries by their lanes. Those whose lane is gone are left out. */
  divide(entries: readonly SubscriptionEntry[]): Map<Lane, SubscriptionEntry[]>;
  all(): Iterable<Lane>;
}

/** Makes none yet. */
export function createLanes(create: (identity: Identity) => Lane): Lanes {
  const lanes = new Map<string, { lane: Lane; users: number }>();
  return {
    enter(identity) {
      const key = keyOf(identity);
      const used = lanes.get(key) ?? { lane: create(identity), users: 0 };
      used.users += 1;
      lanes.set(key, used);
    },
    leave(identity) {
      const key = keyOf(identity);
      const used = lanes.get(key);
      if (used === undefined) return;
      used.users -= 1;
      if (used.users === 0) lanes.delete(key);
    },
    divide(entries) {
      const divided = new Map<Lane, SubscriptionEntry[]>();
      for (const entry of entries) {
        const lane = lanes.get(keyOf(entry.subscription.identity))?.lane;
        if (lane === undefined) continue;
        const own = divided.get(lane) ?? [];
        divided.set(lane, own);
        own.push(entry);
      }
      return divided;
    },
    all: () => [...lanes.values()].map(({ lane }) => lane),
  };
}

/** Claims are long, and asked for with every change. */
const keys = new WeakMap<Identity, string>();

function keyOf(identity: Identity): string {
  // No name of PostgreSQL contains a zero byte.
  const key = keys.get(identity) ?? `${identity.role}\0${identity.claims}`;
  keys.set(identity, key);
  return key;
}
