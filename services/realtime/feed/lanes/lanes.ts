/** The lanes of a feed: one per pair of role and claims with subscriptions. */
import type { Identity } from '../feed.ts';
import type { ConvertedChange } from '../payload/convert.ts';
import type { SubscriptionEntry } from '../subscriptions/subscription.ts';
import type { LaneItem } from './batches.ts';
import type { Lane } from './lane.ts';

/** Lanes in use. */
export interface Lanes {
  /** Adds a user to the lane of an identity. The lane exists until all its users have left. */
  enter(identity: Identity): void;
  leave(identity: Identity): void;
  /**
   * Distributes changes among lanes in order. Entries whose lane no longer exists are left out.
   * @param matches the matching entries of each change
   * @param converted the changes in the same order
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

/** Cached keys, because they are needed for each change and contain the claims, which are long. */
const keys = new WeakMap<Identity, string>();

function keyOf(identity: Identity): string {
  // A zero byte is a safe separator: no name in PostgreSQL contains it.
  const key = keys.get(identity) ?? `${identity.role}\0${identity.claims}`;
  keys.set(identity, key);
  return key;
}
