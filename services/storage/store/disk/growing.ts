/**
 * Content that grows over several requests: one file, `incoming/<version>`, which is renamed when it is complete. The
 * caller passes the offset that it has acknowledged; bytes after that offset were never acknowledged.
 */
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../../errors.ts';
import { codeOf } from './disk-error.ts';
import type { DiskParts } from './parts.ts';
import { contentPath, isVersion } from './paths.ts';
import { writeAll } from './write-all.ts';

const FILE_MODE = 0o600;

type Disk = Pick<DiskParts, 'paths' | 'folders' | 'space'>;

/** Writes bytes at offset `at` and truncates all bytes after them. Resolves when the bytes are on stable storage. */
export async function append(
  { paths, folders, space }: Disk,
  version: string,
  at: number,
  bytes: Buffer,
): Promise<void> {
  const path = requireGrowing(paths, version);
  const claim = await space.claim(bytes.length);
  try {
    await appendTo(path, at, bytes);
  } finally {
    claim.release();
  }
  if (at === 0) await folders.sync(paths.incoming);
}

async function appendTo(path: string, at: number, bytes: Buffer): Promise<void> {
  const file = await open(path, at === 0 ? 'w' : 'r+', FILE_MODE).catch(throwNoSuchUploadIfNotFound);
  try {
    if ((await file.stat()).size < at)
      throw failure('InternalError', { message: 'Stored bytes of the upload are missing' });
    await file.truncate(at);
    await writeAll(file, bytes, bytes.length, at);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Renames the file to its content path. Succeeds if an interrupted call has already done so. */
export async function finish(
  { paths, folders }: Disk,
  version: string,
): Promise<{ size: number; mtime: Date }> {
  const target = contentPath(paths, version);
  if (target === undefined) throw failure('NoSuchUpload');
  try {
    await rename(requireGrowing(paths, version), target.file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await folders.sync(target.folder);
  return stat(target.file).catch(throwNoSuchUploadIfNotFound);
}

function throwNoSuchUploadIfNotFound(error: unknown): never {
  throw codeOf(error) === 'ENOENT' ? failure('NoSuchUpload', { cause: error }) : error;
}

function requireGrowing({ incoming }: Disk['paths'], version: string): string {
  if (!isVersion(version)) throw failure('NoSuchUpload');
  return join(incoming, version);
}
