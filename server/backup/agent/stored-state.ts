/** The state of an archive at the start of an agent: the part of the log that it contains. */
import {
  type Archive,
  ArchivedLog,
  findOpenedHead,
  isOfLineage,
  type LogLineage,
  listBackups,
} from '@greenroom/backup';

/** The stored part of a log. */
interface StoredState {
  /** Whether a part of the log after the newest backup is missing. */
  hasGap: boolean;
  /** All content of rows before this time is stored; undefined if there is no backup. */
  contentUntil: Date | undefined;
}

/**
 * Reads the state of a log.
 * @param position up to which the log is stored; undefined if nothing is
 */
export async function readStoredState(
  archive: Archive,
  lineage: LogLineage,
  position: bigint | undefined,
): Promise<StoredState> {
  const { backups } = await listBackups(archive.store, { archive });
  const newest = backups.findLast(({ manifest }) => isOfLineage(manifest, lineage))?.manifest;
  if (newest?.kind !== 'physical') return { hasGap: false, contentUntil: undefined };
  const log = await ArchivedLog.open(archive, lineage);
  const covered = log.coveredUntil(BigInt(`0x${newest.stopLsn}`));
  const { contentTime } = (await findOpenedHead(archive, lineage)) ?? {};
  const createdAt = new Date(newest.createdAt);
  return {
    hasGap: position !== undefined && covered < position,
    contentUntil: contentTime !== undefined && contentTime > createdAt ? contentTime : createdAt,
  };
}
