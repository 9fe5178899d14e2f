/** Creates the database of an instance from a backup. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { recordRestored } from '@greenroom/project';
import { type NewClusterOptions, withNewCluster } from './new-cluster.ts';
import { requireNewInstance } from './new-instance.ts';
import type { Config } from './settings.ts';

/** Options of {@link restoreDatabase}. */
interface RestoreOptions extends Omit<NewClusterOptions, 'beforeNewCluster'> {
  /** Restores the backup in the database of a URL, which logs in as its owner. */
  restore: (url: string) => Promise<void>;
}

/** The data folder has a database, which a backup must not replace. */
class DatabaseExistsError extends Error {
  override readonly name = 'DatabaseExistsError';
}

/** Throws if the data folder has a database. */
export function requireNoDatabase({ dataDirectory }: Pick<Config, 'dataDirectory'>): void {
  const folder = resolve(dataDirectory);
  if (!existsSync(join(folder, 'postgres'))) return;
  throw new DatabaseExistsError(
    `${folder} has a database already, and a backup does not replace one. ` +
      'Stop the instance and remove that folder to delete its data, or choose another one with GREENROOM_DATA_DIR.',
  );
}

/**
 * Restores a backup; if `restore` rejects, there is no database. Throws its errors, and `FolderInUseError` while the instance
 * runs.
 */
export async function restoreDatabase(options: RestoreOptions): Promise<void> {
  const { config, restore, onProgress } = options;
  const beforeNewCluster = async (folder: Parameters<typeof requireNewInstance>[0]['folder']) => {
    requireNoDatabase(config);
    await requireNewInstance({ config, folder });
  };
  await withNewCluster({ ...options, beforeNewCluster }, async ({ localUrl: url }) => {
    await restore(url);
    await recordRestored({ url, onProgress });
  });
}
