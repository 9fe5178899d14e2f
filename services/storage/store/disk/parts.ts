/**
 * Multipart uploads: one folder per upload and one file per part, which are joined into one file in the end. Joining
 * copies the parts, so a crash leaves them unchanged.
 */
import { randomUUID } from 'node:crypto';
import {
  access,
  copyFile,
  constants as fsConstants,
  link,
  mkdir,
  open,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { failure } from '../../errors.ts';
import type { CompletedPart, ContentStat, PartName, PartOptions, PartsName } from '../object-store.ts';
import { partsETag } from '../parts-e-tag.ts';
import { codeOf } from './disk-error.ts';
import type { Md5Thread } from './md5-thread.ts';
import { contentPath, type Paths, partFile, uploadFolder } from './paths.ts';
import type { DiskSpace } from './space.ts';
import { type SyncedFolders, syncFolder } from './synced-folder.ts';
import { type Written, writeFile } from './write-file.ts';

const FOLDER_MODE = 0o700;
const COPY_BYTES = 1024 * 1024;

/** Resources of a disk store that all writes share. */
export interface DiskParts {
  paths: Paths;
  folders: SyncedFolders;
  thread: Md5Thread;
  space: DiskSpace;
}

/** Begins an upload. Returns its id, which is the version of its content. */
export async function beginParts({ paths, folders }: DiskParts, version: string): Promise<string> {
  const folder = uploadFolder(paths, version);
  if (folder === undefined) throw new Error('the version must be a UUID');
  await mkdir(folder, { mode: FOLDER_MODE, recursive: true });
  await folders.sync(paths.parts);
  return version;
}

/** Writes a part. Throws NoSuchUpload, EntityTooLarge. */
export async function writePart(
  { paths, thread, space }: DiskParts,
  { uploadId, partNumber }: PartName,
  content: Readable,
  options: PartOptions,
): Promise<ContentStat> {
  const folder = await requireFolder(paths, uploadId);
  const temporary = join(paths.incoming, randomUUID());
  const nameOf = ({ md5 }: Written) => {
    const file = partFile(folder, partNumber, md5);
    if (file === undefined) throw failure('InvalidParameter', { message: 'Invalid Parameter partNumber' });
    return { file, sync: () => syncFolder(folder) };
  };
  try {
    const { size, md5 } = await writeFile(temporary, content, options, { thread, space, nameOf });
    return { size, eTag: `"${md5}"`, lastModified: new Date() };
  } catch (error) {
    // The upload may have been completed or aborted while the part was written.
    throw codeOf(error) === 'ENOENT' ? failure('NoSuchUpload') : error;
  }
}

/**
 * Joins parts into content. Succeeds if an interrupted call has already done so. Throws NoSuchUpload and MissingPart.
 */
export async function completeParts(
  { paths, folders, space }: DiskParts,
  upload: PartsName,
  parts: readonly CompletedPart[],
): Promise<ContentStat> {
  const target = contentPath(paths, upload.version);
  const folder = uploadFolder(paths, upload.uploadId);
  if (target === undefined || folder === undefined) throw failure('NoSuchUpload');
  if (parts.length === 0) throw failure('MissingPart');
  if (!(await exists(target.file))) {
    await requireFolder(paths, upload.uploadId);
    const files = await Promise.all(parts.map((part) => requirePart(folder, part)));
    await joinParts({ paths, space }, files, target.file);
    await folders.sync(target.folder);
  }
  await abortParts({ paths }, upload.uploadId);
  const { size, mtime } = await stat(target.file);
  return { size, eTag: partsETag(parts), lastModified: mtime };
}

export async function abortParts({ paths }: Pick<DiskParts, 'paths'>, uploadId: string): Promise<void> {
  const folder = uploadFolder(paths, uploadId);
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

async function requireFolder(paths: Paths, uploadId: string): Promise<string> {
  const folder = uploadFolder(paths, uploadId);
  if (folder === undefined || !(await exists(folder))) throw failure('NoSuchUpload');
  return folder;
}

async function requirePart(folder: string, { partNumber, eTag }: CompletedPart): Promise<string> {
  const file = partFile(folder, partNumber, eTag);
  if (file === undefined || !(await exists(file))) throw failure('MissingPart');
  return file;
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

async function joinParts(
  { paths, space }: Pick<DiskParts, 'paths' | 'space'>,
  files: readonly string[],
  target: string,
): Promise<void> {
  const [first = '', ...others] = files;
  const temporary = join(paths.incoming, randomUUID());
  // A single part is the content, and has already been synced.
  if (others.length === 0) return linkOrCopy(first, target, temporary, space);
  // Parts and content exist at the same time until the parts are removed.
  const claim = await space.claim(await bytesOf(files));
  try {
    await concatenate(first, others, temporary);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    claim.release();
  }
}

async function bytesOf(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += (await stat(file)).size;
  return bytes;
}

async function concatenate(first: string, others: readonly string[], target: string): Promise<void> {
  await copyFile(first, target, fsConstants.COPYFILE_FICLONE);
  const output = await open(target, 'a');
  try {
    // Double buffering: writes one buffer while reading into the other.
    let bytes = Buffer.allocUnsafeSlow(COPY_BYTES);
    let other = Buffer.allocUnsafeSlow(COPY_BYTES);
    let writing: Promise<unknown> = Promise.resolve();
    for (const path of others) {
      const input = await open(path, 'r');
      try {
        for (;;) {
          const { bytesRead } = await input.read(bytes, 0, COPY_BYTES, null);
          await writing;
          if (bytesRead === 0) break;
          writing = output.appendFile(bytes.subarray(0, bytesRead));
          writing.catch(() => {});
          [bytes, other] = [other, bytes];
        }
      } finally {
        await input.close();
      }
    }
    await writing;
    await output.datasync();
  } finally {
    await output.close();
  }
}

/** Creates a hard link. If the file system does not support it, copies the file through `temporary`. */
export async function linkOrCopy(
  from: string,
  to: string,
  temporary: string,
  space: DiskSpace,
): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!CANNOT_LINK.has(codeOf(error) ?? '')) throw error;
    const claim = await space.claim(await bytesOf([from]));
    try {
      await copySynced(from, to, temporary);
    } finally {
      claim.release();
    }
  }
}

async function copySynced(from: string, to: string, temporary: string): Promise<void> {
  try {
    await copyFile(from, temporary, fsConstants.COPYFILE_FICLONE);
    const copy = await open(temporary, 'r+');
    try {
      await copy.sync();
    } finally {
      await copy.close();
    }
    await rename(temporary, to);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

const CANNOT_LINK = new Set(['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL']);
