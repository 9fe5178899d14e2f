/**
 * Deno's cache of one process: a copy of the prepared one, which is removed with the process. It contains compiled code,
 * which Deno runs unseen: no function can change that of a later process or of another function.
 */
import { chown, constants, copyFile, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessUser } from '../process-user.ts';

/** SQLite creates these files when it opens a database. */
const SHARED_MEMORY = /-shm$/;

/** Copies the databases of a cache. Folders contain modules and packages, which are only read: they are linked. */
export async function copyCache(from: string, to: string, user: ProcessUser | undefined): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await symlink(source, target);
    } else if (entry.isFile() && !SHARED_MEMORY.test(entry.name)) {
      await copyFile(source, target, constants.COPYFILE_FICLONE);
      if (user) await chown(target, user.uid, user.gid);
    }
  }
  if (user) await chown(to, user.uid, user.gid);
}
