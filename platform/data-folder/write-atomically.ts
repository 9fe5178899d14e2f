/** Writes a file so that after a crash it has either the old content or the new content, never a part of it. */
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes `content` to `path` with permissions `mode`, through a temporary file that is synced and renamed. The file
 * belongs to `owner`, by default to the user of this process.
 */
export async function writeFileAtomically(
  path: string,
  content: string,
  mode = 0o600,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, 'w', mode);
  try {
    await file.chmod(mode);
    if (owner) await file.chown(owner.uid, owner.gid);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
  await syncDirectory(dirname(path));
}

/** Makes the rename durable. Windows cannot open folders, and does not need this. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
