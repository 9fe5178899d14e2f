/** Removes folders of test instances that were killed, and stops the PostgreSQL of each. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tryLock } from '@greenroom/data-folder';
import { removeLeftOverServer } from '@greenroom/postgres';

/** Beginning of the names of the folders. */
export const FOLDER_PREFIX = 'greenroom-instance-';
/** A younger folder may belong to an instance that has not locked it yet. */
const MIN_AGE_MS = 60_000;

/** Removes the folders of this user that no process holds, except for `own`. Never rejects. */
export async function removeAbandonedFolders(own: string): Promise<void> {
  const parent = dirname(own);
  const names = await readdir(parent).catch(() => []);
  for (const name of names) {
    const folder = join(parent, name);
    if (name.startsWith(FOLDER_PREFIX) && folder !== own)
      await removeIfAbandoned(folder).catch(() => undefined);
  }
}

async function removeIfAbandoned(folder: string): Promise<void> {
  const { uid, mtimeMs } = await stat(folder);
  if (uid !== process.getuid?.() || performance.timeOrigin + performance.now() - mtimeMs < MIN_AGE_MS) return;
  const data = join(folder, 'data');
  const lock = (await exists(data)) ? tryLock(join(data, 'lock')) : undefined;
  if (lock === undefined && (await exists(data))) return;
  await removeLeftOverServer(join(data, 'postgres')).catch(() => undefined);
  lock?.release();
  await rm(folder, { recursive: true, force: true });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
