/**
 * Content as files of one folder, which one process has for itself:
 *
 *     incoming/<uuid>                    what is being written, and what grows over many requests
 *     incoming/parts/<upload>/<n>-<md5>  parts of uploads
 *     objects/<2 digits>/<version>       content
 *     quarantine/<date>/<version>        content without a row, before it is removed
 *     instance-id                        which instance it belongs to
 *
 * A file gets its name under `objects/` by a rename, so it is there whole or not at all. It may be synced at the same
 * time as its name: what is there without its bytes, after the machine has failed, has no row yet, and is swept.
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
import type { ByteRange, ContentFacts, ContentName, ObjectStore, WriteOptions } from './object-store.ts';
import type { ReadTurn } from './read-turns.ts';

const FOLDER_MODE = 0o700;
/** Files that are removed at once. */
const REMOVALS = 16;

/** Options of {@link openDiskStore}. */
interface DiskStoreOptions {
  /** Bytes that stay free on the disk; 0, where not given. */
  reserve?: DiskReserve;
  /** How the disk is looked at: statfs, where not given. */
  stats?: DiskStats;
}

/** Opens the store in `folder`, which is made if it is not there. No other process may use it. */
export async function openDiskStore(
  folder: string,
  { reserve = 0, stats }: DiskStoreOptions = {},
): Promise<ObjectStore> {
  const paths = pathsBelow(folder);
  await makeFolders(folder, paths);
  const space = new DiskSpace(folder, reserve, stats);
  const store: DiskParts = { paths, folders: new SyncedFolders(), thread: new Md5Thread(), space };
  return {
    place: paths.root,
    readInstanceId: () => inCatalogue(readInstanceId(paths)),
    writeInstanceId: (id) => inCatalogue(writeInstanceId(paths, id)),
    has: (name) => inCatalogue(has(paths, name)),
    quarantine: diskQuarantine(paths),
    write: (name, content, options) => inCatalogue(write(store, name, content, options)),
    read: (name, range, turn) => inCatalogue(read(paths, name, range, turn)),
    facts: (name) => inCatalogue(facts(paths, name)),
    copy: (from, to) => inCatalogue(copy(store, from, to)),
    remove: (names) => inCatalogue(remove(paths, names)),
    beginParts: ({ version }) => inCatalogue(beginParts(store, version)),
    writePart: (part, content, options) => inCatalogue(writePart(store, part, content, options)),
    completeParts: (upload, parts) => inCatalogue(completeParts(store, upload, parts)),
    abortParts: ({ uploadId }) => inCatalogue(abortParts(store, uploadId)),
    list: (before) => listContent(paths, before),
    growing: {
      append: ({ version }, at, bytes) => inCatalogue(append(store, version, at, bytes)),
      finish: ({ version }) => inCatalogue(finishGrowing(store, version)),
    },
    close: async () => {
      await Promise.all([store.folders.close(), store.thread.close()]);
    },
  };
}

async function finishGrowing(store: DiskParts, version: string): Promise<Omit<ContentFacts, 'eTag'>> {
  const { size, mtime } = await finish(store, version);
  return { size, lastModified: mtime };
}

async function makeFolders(folder: string, paths: Paths): Promise<void> {
  await mkdir(paths.parts, { recursive: true, mode: FOLDER_MODE });
  const made = await Promise.all(
    SHARDS.map((shard) => mkdir(paths.shard(shard), { recursive: true, mode: FOLDER_MODE })),
  );
  if (made.every((path) => path === undefined)) return;
  for (const path of [paths.objects, paths.incoming, folder]) await syncFolder(path);
}

async function inCatalogue<Result>(work: Promise<Result>): Promise<Result> {
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
): Promise<ContentFacts> {
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
  turn: ReadTurn | undefined,
): Promise<Readable> {
  return withFile(paths, version, (file) => readFile(file, range, turn));
}

/** The ETag is made anew from all bytes: rows have it, and this is for those who have no row. */
async function facts(paths: Paths, { version }: ContentName): Promise<ContentFacts> {
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

/** Content that is still growing has the same name in another folder. */
async function removeOne(paths: Paths, version: string): Promise<void> {
  if (await unlinkIfThere(requirePath(paths, version).file)) return;
  if (await unlinkIfThere(join(paths.incoming, version))) return;
  const quarantined = await findQuarantined(paths, version);
  if (quarantined !== undefined) await unlinkIfThere(quarantined);
}

async function unlinkIfThere(path: string): Promise<boolean> {
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

/** Works on the file of content, which may be in quarantine. */
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
    return absentIsNoSuchKey(work(quarantined));
  }
}

async function absentIsNoSuchKey<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? failure('NoSuchKey', { cause: error }) : error;
  }
}
