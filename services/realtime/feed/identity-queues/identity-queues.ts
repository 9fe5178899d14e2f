/** The identity queues of a feed: one per pair of role and claims with subscriptions. */
import type { Identity } from '../feed.ts';
import type { ConvertedChange } from '../payload/convert.ts';
import type { SubscriptionEntry } from '../subscriptions/subscription.ts';
import type { QueueItem } from './batches.ts';
import type { IdentityQueue } from './identity-queue.ts';

/** The identity queues in use. */
export interface IdentityQueues {
  /** Adds a user to the queue of an identity. The queue exists until all its users have left. */
  acquire(identity: Identity): void;
  release(identity: Identity): void;
  /**
   * Distributes changes among queues in order. Entries whose queue no longer exists are left out.
   * @param matches the matching entries of each change
   * @param converted the changes in the same order
   */
  distribute(
    matches: readonly { entries: readonly SubscriptionEntry[] }[],
    converted: readonly ConvertedChange[],
  ): Map<IdentityQueue, QueueItem[]>;
  all(): Iterable<IdentityQueue>;
}

/** Creates an empty set of queues; `create` makes the queue of an identity. */
export function createIdentityQueues(create: (identity: Identity) => IdentityQueue): IdentityQueues {
  const queues = new Map<string, { queue: IdentityQueue; users: number }>();

  function entriesByQueue(entries: readonly SubscriptionEntry[]): Map<IdentityQueue, SubscriptionEntry[]> {
    const divided = new Map<IdentityQueue, SubscriptionEntry[]>();
    for (const entry of entries) {
      const queue = queues.get(keyOf(entry.subscription.identity))?.queue;
      if (queue === undefined) continue;
      const own = divided.get(queue) ?? [];
      divided.set(queue, own);
      own.push(entry);
    }
    return divided;
  }

  return {
    acquire(identity) {
      const key = keyOf(identity);
      const used = queues.get(key) ?? { queue: create(identity), users: 0 };
      used.users += 1;
      queues.set(key, used);
    },
    release(identity) {
      const key = keyOf(identity);
      const used = queues.get(key);
      if (used === undefined) return;
      used.users -= 1;
      if (used.users === 0) queues.delete(key);
    },
    distribute(matches, converted) {
      const work = new Map<IdentityQueue, QueueItem[]>();
      for (const [index, { entries }] of matches.entries()) {
        const change = converted[index];
        if (change === undefined) continue;
        for (const [queue, own] of entriesByQueue(entries)) {
          const items = work.get(queue) ?? [];
          work.set(queue, items);
          items.push({ converted: change, entries: own });
        }
      }
      return work;
    },
    all: () => [...queues.values()].map(({ queue }) => queue),
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
