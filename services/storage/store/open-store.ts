/** Opens the store that the settings name. */
import type { StorageConfig } from '../settings.ts';
import { openDiskStore } from './disk.ts';
import type { ObjectStore } from './object-store.ts';

/** @param folder of the disk store; of an S3 store nothing is kept there. */
export async function openStore(
  { s3Store, diskReserve }: StorageConfig,
  folder: string,
): Promise<ObjectStore> {
  if (s3Store === undefined) return openDiskStore(folder, { reserve: diskReserve });
  // The SDK takes its time and its memory, and most instances have no use for it.
  const { openS3Store } = await import('./s3.ts');
  return openS3Store(s3Store);
}
