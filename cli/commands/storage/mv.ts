/** Moves objects inside of a bucket of the running instance. */
import { posix } from 'node:path';
import { printable } from '@greenroom/log/printable';
import type { ProjectOptions } from '../../settings.ts';
import { printProgress } from '../../storage/print-progress.ts';
import { isNotFound, openRemoteStorage, type RemoteStorage } from '../../storage/remote-storage.ts';
import {
  isFolderPath,
  parseStorageAddress,
  type StoragePath,
  withoutEndingSlash,
} from '../../storage/storage-path.ts';

/** Options of {@link moveObjects}. */
interface MoveOptions {
  source: string;
  target: string;
  isRecursive: boolean;
}

/** Moves an object; with `isRecursive`, all objects of a folder if there is no object with its name. */
export async function moveObjects(
  { source, target, isRecursive }: MoveOptions,
  project: ProjectOptions,
): Promise<number> {
  const from = parseStorageAddress(source);
  const to = parseStorageAddress(target);
  if (from.key === '' && to.key === '')
    throw new Error('storage mv moves objects, not buckets: add a path to the address.');
  if (from.bucket !== to.bucket)
    throw new Error(
      'objects can move inside of their bucket only. Copy them to another one: greenroom storage cp.',
    );
  if (!isRecursive && isFolderPath(from))
    throw new Error(`${JSON.stringify(source)} names a folder. Move it with -r.`);
  const storage = await openRemoteStorage(project);
  if (isFolderPath(from)) await moveFolder(storage, from, to);
  else await moveObject(storage, { from, to, isRecursive });
  return 0;
}

async function moveObject(
  storage: RemoteStorage,
  { from, to, isRecursive }: { from: StoragePath; to: StoragePath; isRecursive: boolean },
): Promise<void> {
  const key = isFolderPath(to) ? posix.join(to.key, posix.basename(from.key)) : to.key;
  try {
    printProgress(`Moving object: ${from.text} => /${to.bucket}/${key}`);
    printProgress(await storage.move(from.bucket, from.key, key));
  } catch (error) {
    if (!isRecursive || !isNotFound(error)) throw error;
    await moveFolder(storage, from, to);
  }
}

/** Lists all objects first, because moved ones may appear in the same list again. */
async function moveFolder(storage: RemoteStorage, from: StoragePath, to: StoragePath): Promise<void> {
  const { bucket } = from;
  const folder = from.key === '' ? '' : `${withoutEndingSlash(from.key)}/`;
  const keys: string[] = [];
  for await (const key of storage.listKeys(bucket, folder)) keys.push(key);
  if (keys.length === 0) throw new Error(`Object not found: ${printable(`/${bucket}/${folder}`)}`);
  for (const key of keys) {
    const target = posix.join(to.key, key.slice(folder.length));
    printProgress(`Moving object: /${bucket}/${key} => /${bucket}/${target}`);
    await storage.move(bucket, key, target);
  }
}
