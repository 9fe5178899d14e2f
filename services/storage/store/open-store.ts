/** Opens the content store that the settings select. */
import type { StorageConfig } from '../settings.ts';
import { openDiskStore } from './disk.ts';
import type { ObjectStore } from './object-store.ts';

/** @param folder of the disk store; an S3 store does not use it */
export async function openStore(
  { s3Store, diskReserve }: StorageConfig,
  folder: string,
): Promise<ObjectStore> {
  if (s3Store === undefined) return openDiskStore(folder, { reserve: diskReserve });
  // The SDK is loaded on demand, because loading it takes time and memory and most instances do not use it.
  const { openS3Store } = await import('./s3.ts');
  return openS3Store(s3Store);
}
