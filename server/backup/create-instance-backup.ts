/** Backs up an instance: its database, the content of its objects, and its settings. */
import { resolve } from 'node:path';
import {
  type Archive,
  type BackupProgress,
  createBackup,
  logicalSource,
  type Manifest,
  physicalSource,
} from '@greenroom/backup';
import { openContentStore } from '@greenroom/storage/content-store';
import type { Config } from '../settings.ts';
import { VERSION } from '../version.ts';
import { contentSource } from './content-source.ts';
import { readInstanceIdentity } from './instance-identity.ts';
import { postgresVersionOf } from './postgres-version.ts';
import { sharePriority } from './priority.ts';

/** Options of {@link createInstanceBackup}. */
interface InstanceBackupOptions {
  archive: Archive;
  config: Pick<Config, 'storage' | 'dataDirectory' | 'databaseUrl'>;
  /** URL of the superuser of the embedded PostgreSQL, or of the owner of an external database. */
  databaseUrl: string;
  /** URL of the owner of the database. */
  ownerUrl: string;
  /** Name of the backup, unique in the archive. */
  name?: string | undefined;
  onProgress?: (progress: BackupProgress) => void;
  signal?: AbortSignal | undefined;
}

/** Creates a complete backup. Rejects as `createBackup`. */
export async function createInstanceBackup(options: InstanceBackupOptions): Promise<Manifest> {
  const { archive, config, databaseUrl, ownerUrl, name, onProgress, signal } = options;
  const dataFolder = resolve(config.dataDirectory);
  const isEmbedded = config.databaseUrl === undefined;
  const content = await openContentStore(config.storage, dataFolder);
  try {
    return await createBackup({
      archive,
      instance: await readInstanceIdentity(databaseUrl, { isEmbedded }),
      database: isEmbedded ? physicalSource(databaseUrl, sharePriority) : logicalSource(databaseUrl),
      postgresVersion: await postgresVersionOf(databaseUrl),
      greenroomVersion: VERSION,
      content: contentSource(ownerUrl, content),
      dataFolder,
      name,
      ...(onProgress && { onProgress }),
      signal,
    });
  } finally {
    await content.close();
  }
}
