/** Delivers a checked change to the entries of a queue. */
import type { ChangeDelivery } from '../feed.ts';
import { changePayload, reasonToWithhold, withheldPayload } from '../payload/payload.ts';
import type { PayloadCache } from '../payload/payload-cache.ts';
import type { CatalogColumn } from '../subscriptions/catalog.ts';
import type { Subscription, SubscriptionEntry } from '../subscriptions/subscription.ts';
import { filterableColumns } from '../visibility/columns.ts';
import type { TableRights } from '../visibility/rights.ts';
import type { QueueItem } from './batches.ts';

/**
 * Delivers a change to the entries whose filters the role may evaluate.
 * @param isVisible whether the role can select the row; a change that is withheld is delivered without values in any
 * case
 * @param columns columns of the table that are the same now as in the change
 */
export function deliverChange(
  { converted, entries }: QueueItem,
  rights: TableRights,
  isVisible: boolean,
  columns: ReadonlyMap<string, CatalogColumn>,
  payloads: PayloadCache,
): void {
  const { change } = converted;
  const withheld = reasonToWithhold(change, rights);
  const isFilterable = filterableColumns(change.type, rights, columns, withheld !== undefined);
  // A condition that holds reveals the value of its column.
  const allowed = entries.filter(({ params }) =>
    params.conditions.every(({ column }) => isFilterable(column)),
  );
  if (withheld !== undefined) {
    deliverFrames(framesOf(allowed, () => withheldPayload(change, withheld)));
    return;
  }
  if (!isVisible) return;
  const payloadFor = (select: readonly string[] | undefined) =>
    payloads.get(converted, `${JSON.stringify(select)} ${rights.signature}`, () =>
      changePayload(converted, rights, select, columns),
    );
  deliverFrames(framesOf(allowed, payloadFor));
}

type Frames = ReadonlyMap<Subscription, ReadonlyMap<string, ChangeDelivery>>;

/**
 * Returns frames for open subscriptions: one per subscription and payload, with the ids of all entries that share it.
 * Pure if `payloadFor` is.
 */
export function framesOf(
  entries: readonly SubscriptionEntry[],
  payloadFor: (select: readonly string[] | undefined) => string,
): Frames {
  const frames = new Map<Subscription, Map<string, { ids: number[]; data: string }>>();
  for (const { subscription, id, params } of entries) {
    if (subscription.isClosed) continue;
    const data = payloadFor(params.select);
    const byData = frames.get(subscription) ?? new Map();
    frames.set(subscription, byData);
    const frame = byData.get(data) ?? { ids: [], data };
    byData.set(data, frame);
    frame.ids.push(id);
  }
  return frames;
}

function deliverFrames(frames: Frames): void {
  for (const [subscription, byData] of frames) {
    for (const frame of byData.values()) subscription.deliver(frame);
  }
}
