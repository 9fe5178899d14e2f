/** The place of the data of test instances: memory if there is enough, because copying 1,500 files to a disk may take a second. */
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** A file system in memory that Linux has for all users. Containers limit it to 64 MB by default. */
const SHARED_MEMORY = '/dev/shm';
/** `f_type` of a file system in memory. */
const TMPFS = 0x01021994;
/** Enough for the databases of several instances, and for the files that tests upload. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;

/** Returns the folder for temporary data. `TMPDIR` decides if it is set. */
export async function instancesFolder(): Promise<string> {
  if (process.platform !== 'linux' || process.env.TMPDIR) return tmpdir();
  const memory = await statfs(SHARED_MEMORY).catch(() => undefined);
  const hasSpace = memory?.type === TMPFS && memory.bavail * memory.bsize >= MIN_FREE_BYTES;
  return hasSpace ? SHARED_MEMORY : tmpdir();
}
