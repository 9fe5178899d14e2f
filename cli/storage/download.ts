/** Downloads objects into files. */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, posix, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printable } from '@greenroom/log/printable';
import { FileNameError, fileSegments, makeFolders } from './file-path.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { printProgress } from './print-progress.ts';
import type { RemoteStorage } from './remote-storage.ts';
import { requireUrlKey, type StoragePath, withoutEndingSlash } from './storage-path.ts';

/**
 * Downloads one object. The target is a new file, or a folder in which the file has the last name of the key. Throws if the
 * file exists.
 */
export async function downloadObject(
  storage: RemoteStorage,
  from: StoragePath,
  target: string,
): Promise<void> {
  requireUrlKey(from);
  const isFolder = await isDirectory(target);
  const file = resolve(isFolder ? join(target, ...fileSegments(posix.basename(from.key))) : target);
  if (await exists(file)) throw new Error(`${file} exists already. Remove it, or replace it with -r.`);
  await writeObject(storage, from, file);
}

/** An object, or a folder without one, and its path below the target. */
interface ObjectBelow {
  bucket: string;
  /** Empty for an empty bucket. */
  key: string;
  /** Empty for the source itself; ends with a slash for a folder. */
  relative: string;
}

/**
 * Downloads an object, or all objects of a folder, of a bucket, or of all buckets, and replaces existing files. If the
 * target is a folder, their own folder is created in it. Objects whose keys cannot be paths of files are skipped, and cause
 * an error at the end.
 */
export async function downloadAll(
  storage: RemoteStorage,
  from: StoragePath,
  { target, jobs }: { target: string; jobs: number },
): Promise<void> {
  const name = posix.basename(withoutEndingSlash(from.text));
  const isInside = name !== '' && (await isDirectory(target));
  const root = resolve(isInside ? join(target, ...fileSegments(name)) : target);
  let count = 0;
  let skipped = 0;
  await forEachConcurrently(objectsBelow(storage, from), jobs, async (object) => {
    count += 1;
    const source = `/${object.bucket}/${object.key}`;
    try {
      await downloadBelow(storage, object, root);
    } catch (error) {
      if (!(error instanceof FileNameError)) throw error;
      skipped += 1;
      printProgress(`Skipping: ${source}: ${error.message}`);
    }
  });
  if (count === 0) throw new Error(`Object not found: ${printable(from.text)}`);
  if (skipped > 0) throw new Error(`${skipped} of ${count} objects cannot be files here, and were skipped.`);
}

async function downloadBelow(
  storage: RemoteStorage,
  { bucket, key, relative }: ObjectBelow,
  root: string,
): Promise<void> {
  // Of the whole key, because a client resolves such segments of a URL, also in the folder that is downloaded.
  if (key !== '') fileSegments(withoutEndingSlash(key));
  const segments = relative === '' ? [] : fileSegments(withoutEndingSlash(relative));
  const file = join(root, ...segments);
  printProgress(`Downloading: /${bucket}/${key} => ${file}`);
  if (key === '' || key.endsWith('/')) {
    await makeFolders(root, segments);
    return;
  }
  if (relative === '') await makeFolders(dirname(root), []);
  else await makeFolders(root, segments.slice(0, -1));
  if (await isDirectory(file)) throw new FileNameError(`${file} is a folder`);
  await writeObject(storage, { bucket, key }, file);
}

/** The file appears when it is complete. */
async function writeObject(
  storage: RemoteStorage,
  { bucket, key }: Pick<StoragePath, 'bucket' | 'key'>,
  file: string,
): Promise<void> {
  const content = await storage.download(bucket, key);
  const unfinished = join(dirname(file), `.greenroom-${randomUUID()}.part`);
  try {
    await pipeline(Readable.fromWeb(content), createWriteStream(unfinished, { flags: 'wx' }), {
      signal: storage.connection.signal,
    });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function* objectsBelow(storage: RemoteStorage, from: StoragePath): AsyncGenerator<ObjectBelow> {
  if (from.bucket === '') {
    for (const bucket of await storage.listBuckets()) yield* objectsOfBucket(storage, bucket, `${bucket}/`);
    return;
  }
  const { bucket } = from;
  const key = withoutEndingSlash(from.key);
  if (key === '') {
    if ((await storage.listBuckets()).includes(bucket)) yield* objectsOfBucket(storage, bucket, '');
    return;
  }
  if (key === from.key && (await hasObject(storage, bucket, key))) yield { bucket, key, relative: '' };
  const folder = `${key}/`;
  for await (const each of storage.listKeys(bucket, folder))
    yield { bucket, key: each, relative: each.slice(folder.length) };
}

async function* objectsOfBucket(
  storage: RemoteStorage,
  bucket: string,
  folder: string,
): AsyncGenerator<ObjectBelow> {
  let isEmpty = true;
  for await (const key of storage.listKeys(bucket, '')) {
    isEmpty = false;
    yield { bucket, key, relative: `${folder}${key}` };
  }
  if (isEmpty) yield { bucket, key: '', relative: folder };
}

/** The key itself is the first of those that begin with it. */
async function hasObject(storage: RemoteStorage, bucket: string, key: string): Promise<boolean> {
  for await (const first of storage.listKeys(bucket, key)) return first === key;
  return false;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
