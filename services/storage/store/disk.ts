/**
 * Content as files of one folder, which one process has for itself:
 *
 *     incoming/<uuid>                    what is being written, and what grows over many requests
 *     incoming/parts/<upload>/<n>-<md5>  parts of uploads
 *     objects/<2 digits>/<version>       content, whole and synced
 *
 * A file gets its name under `objects/` by a rename, so it is there whole or not at all.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../errors.ts';
import { ChunkCollector } from './disk/chunk-collector.ts';
import { codeOf, diskError } from './disk/disk-error.ts';
import { append, finish } from './disk/growing.ts';
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
import { readFile } from './disk/read-file.ts';
import { SharedPieces } from './disk/shared-pieces.ts';
import { SyncedFolders, syncFolder } from './disk/synced-folder.ts';
import { writeFile } from './disk/write-file.ts';
import type { ByteRange, ContentFacts, ContentName, ObjectStore, WriteOptions } from './object-store.ts';

const FOLDER_MODE = 0o700;
/** Files that are removed at once. */
const REMOVALS = 16;

/** Opens the store in `folder`, which is made if it is not there. No other process may use it. */
export async function openDiskStore(folder: string): Promise<ObjectStore> {
  const paths = pathsBelow(folder);
  await makeFolders(folder, paths);
  const store: DiskParts = {
    paths,
    folders: new SyncedFolders(),
    thread: new Md5Thread(),
    pieces: new SharedPieces(),
    collector: new ChunkCollector(),
  };
  return {
    write: (name, content, options) => inCatalogue(write(store, name, content, options)),
    read: (name, range) => inCatalogue(read(paths, name, range)),
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
  store: DiskParts,
  { version }: ContentName,
  content: Readable,
  { maxBytes, signal }: WriteOptions,
): Promise<ContentFacts> {
  const { paths, folders } = store;
  const target = requirePath(paths, version);
  const temporary = join(paths.incoming, randomUUID());
  const { size, md5 } = await writeFile(temporary, content, { maxBytes, signal }, store);
  await moveTo(temporary, target, folders);
  return { size, eTag: `"${md5}"`, lastModified: new Date() };
}

/** What was written and has no lasting name is removed. */
async function moveTo(
  temporary: string,
  { folder, file }: { folder: string; file: string },
  folders: SyncedFolders,
): Promise<void> {
  let named = temporary;
  try {
    await rename(temporary, file);
    named = file;
    await folders.sync(folder);
  } catch (error) {
    await rm(named, { force: true });
    throw error;
  }
}

async function read(paths: Paths, { version }: ContentName, range?: ByteRange): Promise<Readable> {
  return absentIsNoSuchKey(readFile(requirePath(paths, version).file, range));
}

/** The ETag is made anew from all bytes: rows have it, and this is for those who have no row. */
async function facts(paths: Paths, { version }: ContentName): Promise<ContentFacts> {
  const { file } = requirePath(paths, version);
  const { size, mtime } = await absentIsNoSuchKey(stat(file));
  const hash = createHash('md5');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return { size, eTag: `"${hash.digest('hex')}"`, lastModified: mtime };
}

async function copy({ paths, folders }: DiskParts, from: ContentName, to: ContentName): Promise<void> {
  const source = requirePath(paths, from.version);
  const target = requirePath(paths, to.version);
  await absentIsNoSuchKey(linkOrCopy(source.file, target.file, join(paths.incoming, randomUUID())));
  await folders.sync(target.folder);
}

async function remove(paths: Paths, names: readonly ContentName[]): Promise<void> {
  const versions = names.map(({ version }) => version).filter(isVersion);
  const loop = async () => {
    for (let next = versions.pop(); next !== undefined; next = versions.pop()) await removeOne(paths, next);
  };
  await Promise.all(Array.from({ length: Math.min(REMOVALS, versions.length) }, loop));
}

/** The sweep removes what was being written under the name that it has there. */
async function removeOne(paths: Paths, version: string): Promise<void> {
  if (await unlinkIfThere(requirePath(paths, version).file)) return;
  await unlinkIfThere(join(paths.incoming, version));
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

async function absentIsNoSuchKey<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? failure('NoSuchKey', { cause: error }) : error;
  }
}
