/**
 * Removes content that no row names: that of deleted and replaced rows, which may have to be copied first, and that of rows
 * that were never committed.
 */
import type { Logger } from '@greenroom/log';
import type { ContentCopies } from '@greenroom/service';
import type { StorageMetrics } from '../metrics.ts';
import type { ContentName, ObjectStore } from './object-store.ts';

/** Content named by a row. The version is null if the row was inserted by SQL. */
export interface RowContent extends Omit<ContentName, 'version'> {
  version: string | null;
}

/** Dependencies of removing content. */
export interface RemovalContext {
  store: ObjectStore;
  contentCopies: ContentCopies | undefined;
  metrics: StorageMetrics;
  log: Logger;
}

/**
 * Removes content whose rows were deleted or replaced. Content that is still to be copied is removed when it was copied, by the next
 * process if this one ends before that. Failures are only logged and counted: the rows are authoritative, and the sweep of the next
 * start moves the content to quarantine.
 */
export async function removeContentOfDeleted(
  context: RemovalContext,
  rows: readonly RowContent[],
): Promise<void> {
  const names = rows.filter((row): row is ContentName => row.version !== null);
  const { contentCopies } = context;
  if (contentCopies === undefined) return removeNow(context, names);
  return removeNow(
    context,
    contentCopies.removable(names, (copied) => removeNow(context, copied)),
  );
}

/** Removes content whose removal an earlier process held, when it was copied. */
export function resumeRemovals(context: RemovalContext): void {
  context.contentCopies?.resume((names) => removeNow(context, names));
}

/** Removes content whose rows were certainly not committed, so it needs no copy. Failures are only logged and counted. */
export async function removeContentOfUncommitted(
  context: RemovalContext,
  names: readonly ContentName[],
): Promise<void> {
  context.contentCopies?.discarded(names.map(({ version }) => version));
  await removeNow(context, names);
}

async function removeNow(
  { store, metrics, log }: RemovalContext,
  names: readonly ContentName[],
): Promise<void> {
  if (names.length === 0) return;
  await store.remove(names).catch((error: unknown) => {
    metrics.leftOver.inc(names.length);
    log.warn({ err: error, count: names.length }, 'content without rows could not be removed');
  });
}
