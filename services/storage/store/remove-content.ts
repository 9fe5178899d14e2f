/** The content of rows: what a row names, and what is left over when a row is gone. */
import type { Logger } from '@greenroom/log';
import type { StorageMetrics } from '../metrics.ts';
import type { ContentName, ObjectStore } from './object-store.ts';

/** Of a row, which may have been made by SQL, and have no version then. */
export interface RowContent extends Omit<ContentName, 'version'> {
  version: string | null;
}

/** What removing content works with. */
export interface RemovalContext {
  store: ObjectStore;
  metrics: StorageMetrics;
  log: Logger;
}

/**
 * Removes content whose rows are gone. Where that fails, nobody is told but the log: the rows are what counts, and the
 * sweep at the next start removes it.
 */
export async function removeContent(
  { store, metrics, log }: RemovalContext,
  rows: readonly RowContent[],
): Promise<void> {
  const names = rows.filter((row): row is ContentName => row.version !== null);
  if (names.length === 0) return;
  await store.remove(names).catch((error: unknown) => {
    metrics.leftOver.inc(names.length);
    log.warn({ err: error, count: names.length }, 'content without rows could not be removed');
  });
}
