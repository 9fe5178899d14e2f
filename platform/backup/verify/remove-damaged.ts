/** Removes damaged chunks, so that the next backup stores them again and thereby repairs the backups that need them. */
import { chunkIdOf } from '../archive/chunks/chunk-ids.ts';
import { acquireLease, type Lease } from '../archive/lease/lease.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import type { ArchiveReport } from './report.ts';

/**
 * Removes the damaged chunks of a report; returns their number. A chunk that exists is never written again, so without
 * the removal later backups would refer to it. Rejects with kind `busy` if a backup is running.
 * @param options `holder`: id of the instance; `logLease`: the lease of the log, if this process holds it
 */
export async function removeDamagedChunks(
  store: ArchiveStore,
  report: ArchiveReport,
  { holder, logLease }: { holder: string; logLease?: Lease },
): Promise<number> {
  const names = report.damages
    .filter(({ name, kind }) => kind === 'damaged' && chunkIdOf(name) !== undefined)
    .map(({ name }) => name);
  if (names.length === 0) return 0;
  const purpose = 'a repair';
  const maintenance = await acquireLease(store, 'maintenance', { holder, purpose });
  try {
    const log = logLease ?? (await acquireLease(store, 'log', { holder, purpose }));
    try {
      await store.remove(names);
    } finally {
      if (logLease === undefined) await log.release();
    }
  } finally {
    await maintenance.release();
  }
  return names.length;
}
