/**
 * Storage: content up and down beside bare streams on the same disk, lists of large buckets beside their query, memory
 * while a large object passes through, and what slow uploads take from others.
 */
import type { Figure } from './measure/figure.ts';
import { benchLists } from './storage/lists.ts';
import { benchS3Memory, benchTransferMemory } from './storage/memory.ts';
import { benchSlowUploads } from './storage/slow-uploads.ts';
import { openStage } from './storage/stage.ts';
import { benchTransfers } from './storage/transfers.ts';

/** Runs the group. */
export async function benchStorage(): Promise<Figure[]> {
  await using stage = await openStage();
  return [
    ...(await benchTransfers(stage)),
    ...(await benchTransferMemory(stage)),
    ...(await benchSlowUploads(stage)),
    ...(await benchLists(stage)),
    ...(await benchS3Memory()),
  ];
}
