/** Uploads files and folders. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { contentTypeOf, type DeclaredBucket } from '@greenroom/project';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { printProgress } from './print-progress.ts';
import type { ObjectHeaders, RemoteStorage } from './remote-storage.ts';
import {
  isBucketPrefix,
  isFolderPath,
  requireUrlKey,
  type StoragePath,
  storagePathOf,
  withoutEndingSlash,
} from './storage-path.ts';
import { uploadFile } from './upload-file.ts';

/** Headers of the objects. */
export interface UploadHeaders extends Pick<ObjectHeaders, 'cacheControl'> {
  /** Default: by the names of the files. */
  contentType: string | undefined;
}

/** Uploads one file as a new object. Throws if the object exists. */
export async function uploadObject(
  storage: RemoteStorage,
  source: string,
  { to, headers }: { to: StoragePath; headers: UploadHeaders },
): Promise<void> {
  const file = resolve(source);
  const found = await statOf(file);
  if (found.isDirectory()) throw new Error(`${file} is a folder. Upload it with -r.`);
  const target = isFolderPath(to) ? storagePathOf(joined(to.text, basename(file))) : to;
  requireObjectPath(target);
  await upload(storage, file, { target, headers, isUpsert: false });
}

/** Options of {@link uploadAll}. */
interface FolderUpload {
  to: StoragePath;
  headers: UploadHeaders;
  /** Number of concurrent uploads. */
  jobs: number;
  /** A missing bucket is created with the properties that the project declares. */
  buckets: readonly DeclaredBucket[];
}

/** Uploads a file, or the files of a folder, and replaces existing objects. */
export async function uploadAll(
  storage: RemoteStorage,
  source: string,
  { to, headers, jobs, buckets }: FolderUpload,
): Promise<void> {
  const root = resolve(source);
  const isFile = (await statOf(root)).isFile();
  const destination = { path: to, ...(await existing(storage, to)) };
  const targetOf = (file: string) =>
    storagePathOf(
      targetPath(destination, { name: basename(root), path: isFile ? '' : slashes(relative(root, file)) }),
    );
  let count = 0;
  const ensureBucket = createOnce(storage, buckets);
  await forEachConcurrently(isFile ? only(root) : filesBelow(root), jobs, async (file) => {
    count += 1;
    const target = targetOf(file);
    printProgress(`Uploading: ${file} => ${target.text}`);
    requireObjectPath(target);
    await ensureBucket(target.bucket);
    await upload(storage, file, { target, headers, isUpsert: true });
  });
  if (count === 0) printProgress(`${root} contains no files; nothing was uploaded`);
}

/** The destination, and whether an object or a folder has its name. */
interface Destination {
  path: StoragePath;
  isObject: boolean;
  isFolder: boolean;
}

/**
 * Returns `/bucket/key` of a file. A folder that exists at the destination gets the source inside, under its own name;
 * otherwise, the destination is the new name of the source.
 * @param path path below the source; empty if the source is this file
 */
export function targetPath(
  { path: to, isObject, isFolder }: Destination,
  { name, path }: { name: string; path: string },
): string {
  const place = withoutEndingSlash(to.text);
  if (path === '') return isFolderPath(to) || (isFolder && !isObject) ? joined(place, name) : to.text;
  return joined(isFolder || place === '' ? joined(place, name) : place, path);
}

function joined(folder: string, name: string): string {
  return `${withoutEndingSlash(folder)}/${name}`;
}

function slashes(path: string): string {
  return path.split(sep).join('/');
}

async function existing(
  storage: RemoteStorage,
  { text, bucket }: StoragePath,
): Promise<Omit<Destination, 'path'>> {
  const place = storagePathOf(withoutEndingSlash(text));
  if (isBucketPrefix(place)) {
    return { isObject: false, isFolder: bucket !== '' && (await storage.listBuckets()).includes(bucket) };
  }
  const names = new Set<string>();
  for await (const name of storage.listFolder(bucket, place.key)) {
    names.add(name);
    // Sorted, so these two come early.
    if (name > `${place.key}/`) break;
  }
  return { isObject: names.has(place.key), isFolder: names.has(`${place.key}/`) };
}

/** Yields the regular files of a folder and of its subfolders, by name. Others are skipped. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((one, two) => (one.name < two.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
    else printProgress(`Skipping: ${path}: it is no regular file`);
  }
}

async function* only(file: string): AsyncGenerator<string> {
  yield file;
}

/** Returns a function that creates a missing bucket; concurrent calls for one bucket wait for the same creation. */
function createOnce(storage: RemoteStorage, declared: readonly DeclaredBucket[]) {
  const ensured = new Map<string, Promise<void>>();
  const ensure = async (name: string) => {
    if ((await storage.listBuckets()).includes(name)) return;
    await storage.createBucket(name, declared.find((bucket) => bucket.name === name) ?? {});
  };
  return (name: string): Promise<void> => {
    const pending = ensured.get(name) ?? ensure(name);
    ensured.set(name, pending);
    return pending;
  };
}

async function upload(
  storage: RemoteStorage,
  file: string,
  { target, headers, isUpsert }: { target: StoragePath; headers: UploadHeaders; isUpsert: boolean },
): Promise<void> {
  const contentType = headers.contentType ?? (await contentTypeOf(file));
  await uploadFile(storage, file, target, { contentType, cacheControl: headers.cacheControl, isUpsert });
}

function requireObjectPath(target: StoragePath): void {
  if (target.bucket === '' || target.key === '')
    throw new Error(`"ss://${target.text}" names no object. Use ss:///bucket/path.`);
  requireUrlKey(target);
}

async function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read: ${error.message}`;
    throw new Error(`${path} ${reason}.`);
  });
}
