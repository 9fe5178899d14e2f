/** The batches of an identity queue. Pure except for the queue argument, which `combineBatches` shortens. */
import type { ConvertedChange } from '../payload/convert.ts';
import type { SubscriptionEntry } from '../subscriptions/subscription.ts';

/** A change with the entries of one queue that it matches. */
export interface QueueItem {
  converted: ConvertedChange;
  entries: readonly SubscriptionEntry[];
}

/** Changes that were dispatched together. */
export interface ChangeBatch {
  items: readonly QueueItem[];
  /** Called once, whether the changes were delivered or dropped. */
  done: () => void;
}

/** A batch with the time at which it was added, as `performance.now()`. */
export interface QueuedBatch extends ChangeBatch {
  since: number;
}

/** Maximum number of changes that are checked together. */
const MAX_ITEMS = 500;

/**
 * Removes batches from the front of a queue and returns them as one, up to the maximum size. The first batch may be
 * larger than the limit. Returns undefined for an empty queue.
 */
export function combineBatches(queue: QueuedBatch[]): QueuedBatch | undefined {
  const [first] = queue;
  if (first === undefined) return undefined;
  let count = first.items.length;
  let batches = 1;
  for (; batches < queue.length; batches += 1) {
    count += queue[batches]?.items.length ?? 0;
    if (count > MAX_ITEMS) break;
  }
  const together = queue.splice(0, batches);
  if (together.length === 1) return first;
  return {
    items: together.flatMap(({ items }) => items),
    since: first.since,
    done() {
      for (const batch of together) batch.done();
    },
  };
}
