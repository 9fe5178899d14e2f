/**
 * Stores content as files in one folder, which a single process uses exclusively:
 *
 *     incoming/<uuid>                    content that is being written, or grows over several requests
 *     incoming/parts/<upload>/<n>-<md5>  parts of uploads
 *     objects/<2 digits>/<version>       content
 *     quarantine/<date>/<version>        content without a row, until it is removed
 *     instance-id                        the instance that the content belongs to
 *
 * A file is renamed to its name below `objects/` when it is complete, so content is never partially visible. The file
 * may be synced at the same time as its name. So after a failure of the machine a name may exist without its bytes; it
 * has no row yet and is swept.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../errors.ts';
import { codeOf, diskError } from './disk/disk-error.ts';
import { append, finish } from './disk/growing.ts';
import { readInstanceId, writeInstanceId } from './disk/instance-id.ts';
import { listContent } from './disk/list.ts';
import { Md5Thread } from './disk/md5-thread.ts';
import {
  abortParts,
  beginParts,
  completeParts,
  type DiskParts,
  linkOrCopy,
  writePart,
} from './disk/parts.ts';
import { contentPath, isVersion, type Paths, pathsBelow, SHARDS } from './disk/paths.ts';
import { diskQuarantine, findQuarantined } from './disk/quarantine.ts';
import { readFile } from './disk/read-file.ts';
import { type DiskReserve, DiskSpace, type DiskStats } from './disk/space.ts';
import { SyncedFolders, syncFolder } from './disk/synced-folder.ts';
import { writeFile } from './disk/write-file.ts';
import type { ByteRange, ContentName, ContentStat, ObjectStore, WriteOptions } from './object-store.ts';
import type { ReadLimiter } from './read-limits.ts';

const FOLDER_MODE = 0o700;
/** Number of files that are removed concurrently. */
const REMOVALS = 16;

/** Options of {@link openDiskStore}. */
interface DiskStoreOptions {
  /** Bytes that stay free on the disk; default 0. */
  reserve?: DiskReserve;
  /** Reads the free space of the disk; default `statfs`. */
  stats?: DiskStats;
}

/** Opens the store in `folder`, which is created if it does not exist. No other process may use the folder. */
export async function openDiskStore(
  folder: string,
  { reserve = 0, stats }: DiskStoreOptions = {},
): Promise<ObjectStore> {
  const paths = pathsBelow(folder);
  await createFolders(folder, paths);
  const space = new DiskSpace(folder, reserve, stats);
  const store: DiskParts = { paths, folders: new SyncedFolders(), thread: new Md5Thread(), space };
  return {
    location: paths.root,
    readInstanceId: () => withCatalogueErrors(readInstanceId(paths)),
    writeInstanceId: (id) => withCatalogueErrors(writeInstanceId(paths, id)),
    has: (name) => withCatalogueErrors(has(paths, name)),
    quarantine: diskQuarantine(paths),
    write: (name, content, options) => withCatalogueErrors(write(store, name, content, options)),
    read: (name, range, limiter) => withCatalogueErrors(read(paths, name, range, limiter)),
    stat: (name) => withCatalogueErrors(statContent(paths, name)),
    copy: (from, to) => withCatalogueErrors(copy(store, from, to)),
    remove: (names) => withCatalogueErrors(remove(paths, names)),
    beginParts: ({ version }) => withCatalogueErrors(beginParts(store, version)),
    writePart: (part, content, options) => withCatalogueErrors(writePart(store, part, content, options)),
    completeParts: (upload, parts) => withCatalogueErrors(completeParts(store, upload, parts)),
    abortParts: ({ uploadId }) => withCatalogueErrors(abortParts(store, uploadId)),
    list: (before) => listContent(paths, before),
    growing: {
      append: ({ version }, at, bytes) => withCatalogueErrors(append(store, version, at, bytes)),
      finish: ({ version }) => withCatalogueErrors(finishGrowing(store, version)),
    },
    close: async () => {
      await Promise.all([store.folders.close(), store.thread.close()]);
    },
  };
}

async function finishGrowing(store: DiskParts, version: string): Promise<Omit<ContentStat, 'eTag'>> {
  const { size, mtime } = await finish(store, version);
  return { size, lastModified: mtime };
}

async function createFolders(folder: string, paths: Paths): Promise<void> {
  await mkdir(paths.parts, { recursive: true, mode: FOLDER_MODE });
  const created = await Promise.all(
    SHARDS.map((shard) => mkdir(paths.shard(shard), { recursive: true, mode: FOLDER_MODE })),
  );
  if (created.every((path) => path === undefined)) return;
  for (const path of [paths.objects, paths.incoming, folder]) await syncFolder(path);
}

async function withCatalogueErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw diskError(error);
  }
}

async function write(
  { paths, folders, thread, space }: DiskParts,
  { version }: ContentName,
  content: Readable,
  { maxBytes, bytes, signal }: WriteOptions,
): Promise<ContentStat> {
  const { folder, file } = requirePath(paths, version);
  const nameOf = () => ({ file, sync: () => folders.sync(folder) });
  const temporary = join(paths.incoming, randomUUID());
  const { size, md5 } = await writeFile(
    temporary,
    content,
    { maxBytes, bytes, signal },
    { thread, space, nameOf },
  );
  return { size, eTag: `"${md5}"`, lastModified: new Date() };
}

async function has(paths: Paths, { version }: ContentName): Promise<boolean> {
  const file = contentPath(paths, version)?.file;
  if (file === undefined) return false;
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return (await findQuarantined(paths, version)) !== undefined;
  }
}

async function read(
  paths: Paths,
  { version }: ContentName,
  range: ByteRange | undefined,
  limiter: ReadLimiter | undefined,
): Promise<Readable> {
  return withFile(paths, version, (file) => readFile(file, range, limiter));
}

/** Hashes all bytes for the ETag: rows store the ETag, and this serves content without a row. */
async function statContent(paths: Paths, { version }: ContentName): Promise<ContentStat> {
  return withFile(paths, version, async (file) => {
    const { size, mtime } = await stat(file);
    const hash = createHash('md5');
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    return { size, eTag: `"${hash.digest('hex')}"`, lastModified: mtime };
  });
}

async function copy({ paths, folders, space }: DiskParts, from: ContentName, to: ContentName): Promise<void> {
  const target = requirePath(paths, to.version);
  await withFile(paths, from.version, (file) =>
    linkOrCopy(file, target.file, join(paths.incoming, randomUUID()), space),
  );
  await folders.sync(target.folder);
}

async function remove(paths: Paths, names: readonly ContentName[]): Promise<void> {
  const versions = names.map(({ version }) => version).filter(isVersion);
  const loop = async () => {
    for (let next = versions.pop(); next !== undefined; next = versions.pop()) await removeOne(paths, next);
  };
  await Promise.all(Array.from({ length: Math.min(REMOVALS, versions.length) }, loop));
}

/** Tries the folders that may hold the content: it may still be growing, or be in quarantine. */
async function removeOne(paths: Paths, version: string): Promise<void> {
  if (await unlinkIfExists(requirePath(paths, version).file)) return;
  if (await unlinkIfExists(join(paths.incoming, version))) return;
  const quarantined = await findQuarantined(paths, version);
  if (quarantined !== undefined) await unlinkIfExists(quarantined);
}

async function unlinkIfExists(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function requirePath(paths: Paths, version: string): { folder: string; file: string } {
  const path = contentPath(paths, version);
  if (path === undefined) throw failure('NoSuchKey');
  return path;
}

/** Runs `work` on the file of content, or on the quarantined file if there is none. */
async function withFile<Result>(
  paths: Paths,
  version: string,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  const { file } = requirePath(paths, version);
  try {
    return await work(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const quarantined = await findQuarantined(paths, version);
    if (quarantined === undefined) throw failure('NoSuchKey', { cause: error });
    return mapNotFoundToNoSuchKey(work(quarantined));
  }
}

async function mapNotFoundToNoSuchKey<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? failure('NoSuchKey', { cause: error }) : error;
  }
}
