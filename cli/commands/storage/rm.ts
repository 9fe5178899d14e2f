/** Deletes objects and buckets of the running instance. */

import { printable } from '@greenroom/log/printable';
import { isConfirmed as askIsConfirmed } from '../../prompt.ts';
import type { ProjectOptions } from '../../settings.ts';
import { printProgress } from '../../storage/print-progress.ts';
import { isNotFound, openRemoteStorage, type RemoteStorage } from '../../storage/remote-storage.ts';
import {
  isFolderPath,
  parseStorageAddress,
  type StoragePath,
  withoutEndingSlash,
} from '../../storage/storage-path.ts';

/** Maximum of the API that deletes objects. */
const BATCH_SIZE = 1000;

/** Options of {@link removeObjects}. */
interface RemoveOptions {
  addresses: readonly string[];
  isRecursive: boolean;
  /** Whether the user has confirmed on the command line already. */
  isConfirmed: boolean;
}

/** Asks once for each bucket. A bucket without a yes is skipped, which is no error. */
export async function removeObjects(
  { addresses, isRecursive, isConfirmed }: RemoveOptions,
  project: ProjectOptions,
): Promise<number> {
  const paths = addresses.map(parseStorageAddress);
  for (const path of paths) requireAllowed(path, isRecursive);
  const storage = await openRemoteStorage(project);
  for (const [bucket, ofBucket] of Map.groupBy(paths, (path) => path.bucket)) {
    const question = `Confirm deleting files in bucket ${printable(bucket)}?`;
    if (!isConfirmed && !(await askIsConfirmed(question))) {
      printProgress(`Not confirmed: nothing was deleted in bucket ${bucket}`);
      continue;
    }
    const keys = ofBucket.map(({ key }) => withoutEndingSlash(key));
    await removeKeys(storage, bucket, { keys, isRecursive });
  }
  return 0;
}

function requireAllowed(path: StoragePath, isRecursive: boolean): void {
  if (path.bucket === '') throw new Error('storage rm requires the name of a bucket: ss:///bucket/path.');
  if (isFolderPath(path) && !isRecursive)
    throw new Error(`"ss://${path.text}" names a bucket or a folder. Delete it with -r.`);
}

/** A key may be that of an object or the name of a folder, so objects are tried first. */
async function removeKeys(
  storage: RemoteStorage,
  bucket: string,
  { keys, isRecursive }: { keys: readonly string[]; isRecursive: boolean },
): Promise<void> {
  const named = keys.filter((key) => key !== '');
  const removed = new Set<string>();
  for (let start = 0; start < named.length; start += BATCH_SIZE) {
    for (const key of await removeBatch(storage, bucket, named.slice(start, start + BATCH_SIZE)))
      removed.add(key);
  }
  for (const key of named.filter((each) => !removed.has(each))) {
    if (!isRecursive) printProgress(`Object not found: ${key}`);
    else if (!(await removeFolder(storage, bucket, `${key}/`)))
      throw new Error(`Object not found: ${printable(`${bucket}/${key}/`)}`);
  }
  if (named.length < keys.length) await removeBucket(storage, bucket);
}

/** Deletes the objects of a folder page by page. Returns false if there are none. */
async function removeFolder(storage: RemoteStorage, bucket: string, folder: string): Promise<boolean> {
  let isEmpty = true;
  let batch: string[] = [];
  for await (const key of storage.listKeys(bucket, folder)) {
    isEmpty = false;
    batch.push(key);
    if (batch.length < BATCH_SIZE) continue;
    await removeBatch(storage, bucket, batch);
    batch = [];
  }
  if (batch.length > 0) await removeBatch(storage, bucket, batch);
  return !isEmpty;
}

function removeBatch(storage: RemoteStorage, bucket: string, keys: readonly string[]): Promise<string[]> {
  printProgress(`Deleting objects: [${keys.join(' ')}]`);
  return storage.remove(bucket, keys);
}

async function removeBucket(storage: RemoteStorage, bucket: string): Promise<void> {
  await removeFolder(storage, bucket, '');
  printProgress(`Deleting bucket: ${bucket}`);
  try {
    printProgress(await storage.deleteBucket(bucket));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    printProgress(`Bucket not found: ${bucket}`);
  }
}
