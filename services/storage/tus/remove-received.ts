import type { Context } from '../context.ts';
import { UploadContent } from './received-content.ts';
import type { UploadRow } from './rows.ts';
import { labelsOf } from './upload-metadata.ts';

/**
 * Removes the received bytes of an upload whose row is deleted. A finished upload has none, because they belong to the
 * object.
 */
export async function removeReceived(
  { store, metrics, log }: Pick<Context, 'store' | 'metrics' | 'log'>,
  row: UploadRow,
): Promise<void> {
  if (row.isFinished) return;
  const stored = new UploadContent(store, row, labelsOf(row.metadata));
  await stored.remove(row.content).catch((error: unknown) => {
    metrics.leftOver.inc();
    log.warn({ err: error }, 'removing the content of an unfinished upload failed');
  });
}
