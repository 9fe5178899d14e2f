/**
 * Measures storage: uploads and downloads compared with bare streams on the same disk, lists of large buckets compared
 * with their query, memory during the transfer of a large object, and the effect of slow uploads on other clients.
 */
import type { Figure } from './measure/figure.ts';
import { openFixture } from './storage/fixture.ts';
import { benchLists } from './storage/lists.ts';
import { benchS3Memory, benchTransferMemory } from './storage/memory.ts';
import { benchSlowUploads } from './storage/slow-uploads.ts';
import { benchTransfers } from './storage/transfers.ts';

export async function benchStorage(): Promise<Figure[]> {
  await using fixture = await openFixture();
  return [
    ...(await benchTransfers(fixture)),
    ...(await benchTransferMemory(fixture)),
    ...(await benchSlowUploads(fixture)),
    ...(await benchLists(fixture)),
    ...(await benchS3Memory()),
  ];
}
