/** Restores a backup into a new data folder: files of the database, recovery, and settings. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { recoverCluster } from '@greenroom/postgres';
import type { Archive } from '../archive/archive.ts';
import { readManifest } from '../archive/backups/backups.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { restoreDatabase } from '../database/restore-database.ts';
import { ArchiveError } from '../errors.ts';
import { restoreFolderFiles } from '../folder-files/restore-files.ts';

/** Options of {@link restoreFiles}. */
interface RestoreFilesOptions {
  archive: Archive;
  /** Id of the backup. */
  id: string;
  /** The new data folder, which must not exist. */
  folder: string;
  /** Called with the bytes of the database that are written. */
  onProgress?: (bytes: number) => void;
  /** Called when PostgreSQL begins to recover. */
  onRecovery?: () => void;
  signal?: AbortSignal | undefined;
}

/**
 * Writes and recovers the database, and writes the settings. The content of objects is restored afterwards, when the
 * database runs. Rejects with an `ArchiveError` or a `RecoveryError`.
 */
export async function restoreFiles(options: RestoreFilesOptions): Promise<PhysicalManifest> {
  const { archive, id, folder, onProgress, onRecovery, signal } = options;
  const manifest = await readManifest(archive, id);
  if (manifest.kind !== 'physical' || manifest.wal !== 'contained') {
    throw new ArchiveError(
      'refused',
      `this version of Greenroom cannot restore backups of the kind of ${id}`,
    );
  }
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
  onRecovery?.();
  await recoverCluster({
    directory,
    // The log of the backup ends at its stop.
    target: { kind: 'end' },
    // The log is in the files of the backup.
    readSegment: async () => undefined,
    ...(signal && { signal }),
  });
  return manifest;
}
