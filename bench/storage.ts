/**
 * Measures storage: uploads and downloads compared with bare streams on the same disk, lists of large buckets compared
 * with their query, memory during the transfer of a large object, and the effect of slow uploads on other clients.
 */
import type { Figure } from './measure/figure.ts';
import { benchLists } from './storage/lists.ts';
import { benchS3Memory, benchTransferMemory } from './storage/memory.ts';
import { benchSlowUploads } from './storage/slow-uploads.ts';
import { openStage } from './storage/stage.ts';
import { benchTransfers } from './storage/transfers.ts';

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
