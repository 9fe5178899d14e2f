/** Lists buckets, folders and objects of the running instance. */

import { printable } from '@greenroom/log/printable';
import type { ProjectOptions } from '../../settings.ts';
import { openRemoteStorage, type RemoteStorage } from '../../storage/remote-storage.ts';
import { isBucketPrefix, parseStorageAddress, type StoragePath } from '../../storage/storage-path.ts';

/** Options of {@link listStorage}. */
interface ListOptions {
  /** Default: all buckets. */
  address: string | undefined;
  isRecursive: boolean;
}

/** Prints a name on each line. */
export async function listStorage(
  { address = 'ss:///', isRecursive }: ListOptions,
  project: ProjectOptions,
): Promise<number> {
  const path = parseStorageAddress(address);
  const storage = await openRemoteStorage(project);
  for await (const name of isRecursive ? allPaths(storage, path) : names(storage, path))
    process.stdout.write(`${printable(name)}\n`);
  return 0;
}

/** Yields the names of one level, relative to their folder. */
async function* names(storage: RemoteStorage, path: StoragePath): AsyncGenerator<string> {
  if (isBucketPrefix(path)) {
    for (const bucket of await bucketsOf(storage, path)) yield `${bucket}/`;
    return;
  }
  const folder = path.key.slice(0, path.key.lastIndexOf('/') + 1);
  for await (const name of storage.listFolder(path.bucket, path.key)) yield name.slice(folder.length);
}

/** Yields the paths of all objects, and the names of empty buckets. */
async function* allPaths(storage: RemoteStorage, path: StoragePath): AsyncGenerator<string> {
  const buckets = isBucketPrefix(path) ? await bucketsOf(storage, path) : [path.bucket];
  for (const bucket of buckets) {
    let isEmpty = true;
    for await (const key of storage.listKeys(bucket, path.key)) {
      isEmpty = false;
      yield `/${bucket}/${key}`;
    }
    if (isEmpty && isBucketPrefix(path)) yield `${bucket}/`;
  }
}

async function bucketsOf(storage: RemoteStorage, { bucket }: StoragePath): Promise<string[]> {
  return (await storage.listBuckets()).filter((name) => name.startsWith(bucket));
}
