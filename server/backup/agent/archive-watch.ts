/**
 * Notices that the archive of a session was removed or replaced. The session would go on with the keys of the former one,
 * so no restore could read the values that it stores.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Archive, ArchiveError, readDescription } from '@greenroom/backup';

const EVERY_MS = 10_000;

/** Options of {@link watchArchive}. */
interface WatchOptions {
  archive: Archive;
  /** Ends the watch. */
  signal: AbortSignal;
  /** Called once, with the reason why the archive is another one. */
  onChange(reason: Error): void;
  /** Interval in milliseconds, for tests. */
  everyMs?: number;
}

/** Reads the description of the archive at intervals. A place that is away is no change. */
export async function watchArchive(options: WatchOptions): Promise<void> {
  const { archive, signal, onChange, everyMs = EVERY_MS } = options;
  for (;;) {
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    const reason = await findChange(archive);
    if (reason !== undefined && !signal.aborted) return onChange(reason);
  }
}

/** Returns the reason why the archive is not the opened one any more; undefined if it is, or if that is not known. */
async function findChange({ store, description }: Archive): Promise<Error | undefined> {
  try {
    const found = await readDescription(store);
    if (found === undefined)
      return new ArchiveError('missing', `${store.location} contains no archive any more`);
    if (found.id === description.id) return undefined;
    return new ArchiveError('refused', `${store.location} contains another archive now`);
  } catch (error) {
    return error instanceof ArchiveError && error.kind === 'damaged' ? error : undefined;
  }
}
