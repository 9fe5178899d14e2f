/** Files and folders that survive a loss of power once written. */
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveError } from '../errors.ts';
import type { ClaimEntry } from './entry-owner.ts';
import { hasCode } from './file-error.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Errors of file systems without links, e.g. exFAT. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Neither a link nor a file. Windows has none of these flags, and no owners that are numbers. */
const FOLDER_ONLY = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Writes a new file, which is durable after a sync. @param claim gives the file its owner */
export async function writeNew(path: string, bytes: Uint8Array, claim?: ClaimEntry): Promise<void> {
  await write(path, bytes, { claim, isSynced: false });
}

/** Writes a new file and syncs it. @param claim gives the file its owner */
export async function writeSynced(path: string, bytes: Uint8Array, claim?: ClaimEntry): Promise<void> {
  await write(path, bytes, { claim, isSynced: true });
}

async function write(
  path: string,
  bytes: Uint8Array,
  { claim, isSynced }: { claim: ClaimEntry | undefined; isSynced: boolean },
): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await claim?.(file, path);
    await file.writeFile(bytes);
    if (isSynced) await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the content of a file durable. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Moves a file to a free path; returns false, and leaves the file, if the path exists. Of several concurrent calls, one
 * returns true.
 * @param linkFile only tests change it
 */
export async function moveIfAbsent(from: string, to: string, linkFile = link): Promise<boolean> {
  try {
    // Unlike a rename, a link fails if the path exists.
    await linkFile(from, to);
    await unlink(from);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    if (!NO_LINKS.some((code) => hasCode(error, code))) throw error;
    return reserveAndMove(from, to);
  }
}

/** For file systems without links. A crash between both steps leaves an empty file. */
async function reserveAndMove(from: string, to: string): Promise<boolean> {
  try {
    await writeSynced(to, Buffer.alloc(0));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  await rename(from, to);
  return true;
}

/** Makes the names in a folder durable. Windows cannot open folders, and does not need this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Creates a folder with its missing parents, and makes them durable. Does nothing if the folder exists.
 * @param claim gives each new folder its owner; the folder is removed if that fails
 */
export async function createFolders(path: string, claim?: ClaimEntry): Promise<void> {
  const first = await mkdir(path, { mode: FOLDER_MODE, recursive: true });
  if (first === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    if (claim !== undefined) await claimFolder(at, claim);
    await syncFolder(dirname(at));
    if (at === first) return;
  }
}

async function claimFolder(path: string, claim: ClaimEntry): Promise<void> {
  const folder = await open(path, FOLDER_ONLY);
  try {
    await claim(folder, path);
  } catch (error) {
    await rmdir(path).catch(() => {});
    throw error;
  } finally {
    await folder.close();
  }
}

/** Rejects with kind `refused` if the path is not a folder, or a symbolic link unless links are allowed. */
export async function requireFolder(path: string, options: { allowLink: boolean }): Promise<void> {
  const found = options.allowLink ? await stat(path) : await lstat(path);
  if (found.isDirectory()) return;
  const kind = found.isSymbolicLink()
    ? 'a symbolic link, and links in an archive are not followed'
    : 'not a folder';
  throw new ArchiveError('refused', `${path} is ${kind}`);
}
