/** Files and folders that survive a loss of power once written. */
import { lstat, mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ArchiveError } from '../errors.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Writes a new file and syncs it. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
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

/** Creates a folder with its missing parents, and makes them durable. Does nothing if the folder exists. */
export async function createFolders(path: string): Promise<void> {
  const first = await mkdir(path, { mode: FOLDER_MODE, recursive: true });
  if (first === undefined) return;
  for (let at = path; ; at = dirname(at)) {
    await syncFolder(dirname(at));
    if (at === first) return;
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
