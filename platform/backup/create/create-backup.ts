/**
 * Creates a complete backup of a running instance: content that exists, then the database, then content that was added
 * meanwhile, settings, and at last the manifest, which makes the backup exist. A run that was interrupted leaves chunks,
 * which the next one does not write again.
 */
import { randomUUID } from 'node:crypto';
import type { Archive } from '../archive/archive.ts';
import { type ListedBackup, listBackups, readManifest, writeBackup } from '../archive/backups/backups.ts';
import type { Manifest } from '../archive/backups/manifest.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { type ChunkWriter, createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { newBackupId } from '../archive/layout.ts';
import { acquireLease } from '../archive/lease/lease.ts';
import { backupContent, type ContentIndexes, type ContentSource } from '../content/backup-content.ts';
import { isContentIndex } from '../content/content-index.ts';
import type { DatabaseSource } from '../database-source.ts';
import { isArchiveError } from '../errors.ts';
import { backupFolderFiles } from '../folder-files/backup-files.ts';
import { requireFreeName } from './backup-name.ts';
import { type InstanceIdentity, requireOwnArchive } from './same-instance.ts';

/** The parts of a backup in their order. */
type BackupStep = 'content' | 'database' | 'added content' | 'settings';

/** Progress of a step. The total is unknown for content. */
export interface BackupProgress {
  step: BackupStep;
  bytes: number;
  total: number | undefined;
}

/** Options of {@link createBackup}. */
interface CreateBackupOptions {
  archive: Archive;
  /** Rejects with kind `refused` if the archive is that of another instance. */
  instance: InstanceIdentity;
  database: DatabaseSource;
  postgresVersion: string;
  greenroomVersion: string;
  content: ContentSource;
  dataFolder: string;
  /** Name of the backup. Rejects with kind `refused` if the archive has a backup of that name, or for other characters. */
  name?: string | undefined;
  onProgress?: (progress: BackupProgress) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Creates a backup. Rejects with an `ArchiveError`, e.g. of kind `busy` if another backup runs, and with the errors of the
 * source of the database.
 */
export async function createBackup(options: CreateBackupOptions): Promise<Manifest> {
  const { archive, name } = options;
  const holder = `process ${process.pid}, ${randomUUID()}`;
  const lease = await acquireLease(archive.store, 'maintenance', { holder, purpose: 'a backup' });
  try {
    const signal = options.signal ? AbortSignal.any([options.signal, lease.lost]) : lease.lost;
    const listed = await listBackups(archive.store);
    requireOwnArchive(listed, options.instance);
    if (name !== undefined) requireFreeName(listed, name);
    const known = await contentOf(archive, listed.backups.at(-1));
    const writer = createChunkWriter(archive, await listChunks(archive.store));
    try {
      return await writeParts({ ...options, signal }, { writer, known });
    } catch (error) {
      await keepChunks(writer);
      throw error;
    }
  } finally {
    await lease.release();
  }
}

/** Makes the chunks of an incomplete backup durable, so that the next one does not store them again. */
async function keepChunks(writer: ChunkWriter): Promise<void> {
  // The error of the backup is reported.
  await writer.finish().catch(() => undefined);
}

/** State of the archive when a backup begins. */
interface StartState {
  writer: ChunkWriter;
  /** Content of the newest backup. */
  known: ContentIndexes;
}

async function writeParts(
  options: CreateBackupOptions,
  { writer, known: existing }: StartState,
): Promise<Manifest> {
  const { archive, content: source, dataFolder, instance, name, onProgress, signal } = options;
  const createdAt = new Date();
  const id = newBackupId(createdAt);
  const reader = createChunkReader(archive);
  const report = (step: BackupStep) => (bytes: number, total?: number) =>
    onProgress?.({ step, bytes, total });
  const contentStep = async (step: BackupStep, known: ContentIndexes, keepsKnown: boolean) => {
    const reportBytes = report(step);
    const onContent = (_: number, bytes: number) => reportBytes(bytes);
    const stored = await backupContent({
      source,
      writer,
      reader,
      known,
      keepsKnown,
      signal,
      onProgress: onContent,
    });
    // The next step reads the indexes.
    await writer.finish();
    return stored;
  };

  const first = await contentStep('content', existing, false);
  const database = await options.database({ id, writer, onProgress: report('database'), signal });
  const content = await contentStep('added content', first.indexes, true);
  report('settings')(0);
  const settings = await backupFolderFiles(dataFolder, writer);
  await writer.finish();
  signal?.throwIfAborted();
  const manifest = {
    ...database.state,
    id,
    ...(name !== undefined && { name }),
    ...(instance.instanceId !== undefined && { instanceId: instance.instanceId }),
    createdAt: createdAt.toISOString(),
    finishedAt: new Date().toISOString(),
    greenroomVersion: options.greenroomVersion,
    postgresVersion: options.postgresVersion,
    databaseBytes: database.bytes,
    databaseFiles: database.files,
    contentBytes: content.bytes,
    contentCount: content.count,
    storedBytes: writer.counts.storedBytes,
    indexes: { ...content.indexes, database: database.index, settings },
  };
  return writeBackup(archive, manifest, writer.references());
}

/** Returns the indexes of the content of a backup; none if its manifest cannot be read. */
async function contentOf(archive: Archive, backup: ListedBackup | undefined): Promise<ContentIndexes> {
  if (backup === undefined) return {};
  try {
    const { indexes } = await readManifest(archive, backup.id);
    return Object.fromEntries(Object.entries(indexes).filter(([name]) => isContentIndex(name)));
  } catch (error) {
    if (isArchiveError(error, 'damaged') || isArchiveError(error, 'wrongKey')) return {};
    throw error;
  }
}
