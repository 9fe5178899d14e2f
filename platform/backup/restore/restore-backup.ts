/** Restores a state into a new data folder: files of the database, recovery, and settings. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type RecoveryTarget, recoverCluster } from '@greenroom/postgres';
import type { Archive } from '../archive/archive.ts';
import { readManifest } from '../archive/backups/backups.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { restoreDatabase } from '../database/restore-database.ts';
import { ArchiveError } from '../errors.ts';
import { restoreFolderFiles } from '../folder-files/restore-files.ts';
import { ArchivedLog } from '../wal/archived-log.ts';
import type { LogLineage, LogRange } from '../wal/pieces.ts';
import type { RestorePlan } from './restore-plan.ts';

/** Progress of applying the archived log. */
export interface RecoveryProgress {
  /** Bytes that are applied, and the most bytes that will be. */
  bytes: number;
  total: number;
  /** The time of a commit that is applied; undefined before the first one. */
  lastCommit: Date | undefined;
}

/** Options of {@link restoreFiles}. */
interface RestoreFilesOptions {
  archive: Archive;
  plan: RestorePlan;
  /** The new data folder, which must not exist. */
  folder: string;
  /** Called with the bytes of the database that are written. */
  onProgress?: (bytes: number) => void;
  /** Called when PostgreSQL begins to recover, and while it applies the log, at most once for each second. */
  onRecovery?: (progress: RecoveryProgress) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Writes and recovers the database, and writes the settings. The content of objects is restored afterwards, when the
 * database runs. Rejects with an `ArchiveError` or a `RecoveryError`.
 */
export async function restoreFiles(options: RestoreFilesOptions): Promise<PhysicalManifest> {
  const { archive, plan, folder, onProgress, onRecovery, signal } = options;
  const { id } = plan.manifest;
  const manifest = await readManifest(archive, id);
  if (manifest.kind !== 'physical')
    throw new ArchiveError('refused', `backup ${id} has no files of a cluster`);
  const reader = createChunkReader(archive);
  // PostgreSQL, which may run as another user, passes through this folder.
  await mkdir(folder, { mode: 0o711 });
  await restoreFolderFiles(folder, reader, manifest.indexes.settings ?? []);
  const directory = await restoreDatabase({
    reader,
    index: manifest.indexes.database ?? [],
    directory: join(folder, 'postgres'),
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const { log, logBytes: total, takenTimelines } = plan;
  onRecovery?.({ bytes: 0, total, lastCommit: undefined });
  await recoverCluster({
    directory,
    target: targetOf(plan, manifest),
    readSegment: await openLog(archive, manifest, plan.log),
    takenTimelines,
    onProgress(position, lastCommit) {
      const bytes = position > log.start ? Math.min(Number(position - log.start), total) : 0;
      onRecovery?.({ bytes, total, lastCommit });
    },
    ...(signal && { signal }),
  });
  return manifest;
}

/** The log of a backup that contains it ends at the stop of the backup. */
function targetOf({ target }: RestorePlan, { wal }: PhysicalManifest): RecoveryTarget {
  if (target.kind === 'time') return { kind: 'time', time: target.time, isCovered: true };
  return { kind: target.kind === 'own' && wal === 'archived' ? 'backup' : 'end' };
}

/** Returns a reader of the archived log. PostgreSQL finds earlier segments in the files of the backup. */
async function openLog(archive: Archive, lineage: LogLineage, { start: first, end }: LogRange) {
  if (first === end) return async () => undefined;
  const log = await ArchivedLog.open(archive, lineage);
  const read = log.segmentsUntil(end);
  return async (timeline: number, start: bigint) => (start < first ? undefined : read(timeline, start));
}
