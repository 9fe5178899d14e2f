import type { Context } from '../context.ts';
import { UploadContent } from './received-content.ts';
import type { UploadRow } from './rows.ts';
import { labelsOf } from './upload-metadata.ts';

/**
 * Removes the received bytes of an upload whose row is deleted. A finished upload has none, because they belong to the
 * object. A finish whose outcome was unknown was not committed, because it would have finished the row.
 */
export async function removeReceived(
  { store, contentCopies, metrics, log }: Pick<Context, 'store' | 'contentCopies' | 'metrics' | 'log'>,
  row: UploadRow,
): Promise<void> {
  if (row.isFinished) return;
  contentCopies?.discarded([row.version]);
  const stored = new UploadContent(store, row, labelsOf(row.metadata));
  await stored.remove(row.content).catch((error: unknown) => {
    metrics.leftOver.inc();
    log.warn({ err: error }, 'removing the content of an unfinished upload failed');
  });
}
