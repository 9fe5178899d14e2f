/** Removes the content of deleted rows. */
import type { Logger } from '@greenroom/log';
import type { StorageMetrics } from '../metrics.ts';
import type { ContentName, ObjectStore } from './object-store.ts';

/** Content named by a row. The version is null if the row was inserted by SQL. */
export interface RowContent extends Omit<ContentName, 'version'> {
  version: string | null;
}

/** Dependencies of removing content. */
export interface RemovalContext {
  store: ObjectStore;
  metrics: StorageMetrics;
  log: Logger;
}

/**
 * Removes content whose rows are gone. Failures are only logged and counted: the rows are authoritative, and the sweep
 * at the next start removes the content.
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
