/** The lanes of a feed: one for each pair of role and claims with subscriptions. */
import type { Identity } from '../feed.ts';
import type { ConvertedChange } from '../payload/convert.ts';
import type { SubscriptionEntry } from '../subscriptions/subscription.ts';
import type { LaneItem } from './batches.ts';
import type { Lane } from './lane.ts';

/** Lanes in use. */
export interface Lanes {
  /** A channel begins to use the lane of its identity. The lane exists until all channels have left it. */
  enter(identity: Identity): void;
  leave(identity: Identity): void;
  /**
   * Distributes changes among lanes, in their order.
   * @param matches entries of each change
   * @param converted the changes, in the same order. Entries whose lane is gone are left out
   */
  distribute(
    matches: readonly { entries: readonly SubscriptionEntry[] }[],
    converted: readonly ConvertedChange[],
  ): Map<Lane, LaneItem[]>;
  all(): Iterable<Lane>;
}

/** Creates an empty set of lanes; `create` makes the lane of an identity. */
export function createLanes(create: (identity: Identity) => Lane): Lanes {
  const lanes = new Map<string, { lane: Lane; users: number }>();

  function entriesByLane(entries: readonly SubscriptionEntry[]): Map<Lane, SubscriptionEntry[]> {
    const divided = new Map<Lane, SubscriptionEntry[]>();
    for (const entry of entries) {
      const lane = lanes.get(keyOf(entry.subscription.identity))?.lane;
      if (lane === undefined) continue;
      const own = divided.get(lane) ?? [];
      divided.set(lane, own);
      own.push(entry);
    }
    return divided;
  }

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
    distribute(matches, converted) {
      const work = new Map<Lane, LaneItem[]>();
      for (const [index, { entries }] of matches.entries()) {
        const change = converted[index];
        if (change === undefined) continue;
        for (const [lane, own] of entriesByLane(entries)) {
          const items = work.get(lane) ?? [];
          work.set(lane, items);
          items.push({ converted: change, entries: own });
        }
      }
      return work;
    },
    all: () => [...lanes.values()].map(({ lane }) => lane),
  };
}

/** Keys contain the claims, which are long, and are needed for each change. */
const keys = new WeakMap<Identity, string>();

function keyOf(identity: Identity): string {
  // No name of PostgreSQL contains a zero byte.
  const key = keys.get(identity) ?? `${identity.role}\0${identity.claims}`;
  keys.set(identity, key);
  return key;
}
