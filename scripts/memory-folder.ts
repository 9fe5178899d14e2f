/**
 * A folder in memory for the temporary files of a test run. Tests create and copy hundreds of PostgreSQL clusters, which
 * takes a file system on a disk more processor time than the tests themselves. No test depends on a disk: those of crashes
 * kill processes, not the machine.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Memory that a machine must have free. The files of a run take less than a quarter of it. */
const NEEDED_BYTES = 6 * 1024 ** 3;
/** Short, because the path of a Unix socket has at most 107 bytes. */
const NAME = /^gr-(\d+)$/;

/** A folder that exists until it is removed. */
interface MemoryFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * Mounts the folder below `parent`; all users may write into it, as PostgreSQL does not run as root. Removes those of earlier
 * runs that were killed. Returns undefined if there is too little memory, or this user may not mount file systems. Not
 * `/dev/shm`, because Deno gives functions no access to paths below `/dev`.
 */
export async function createMemoryFolder(
  parent = tmpdir(),
  availableBytes = process.availableMemory(),
): Promise<MemoryFolder | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  await removeLeftOvers(parent);
  if (availableBytes < NEEDED_BYTES) return undefined;
  const path = join(parent, `gr-${process.pid}`);
  await mkdir(path);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${NEEDED_BYTES},mode=1777`, 'tmpfs', path]);
  } catch {
    // Containers often may not mount.
    await rmdir(path);
    return undefined;
  }
  return { path, remove: () => remove(path) };
}

/** A folder with the pid of this process is that of an earlier one. */
async function removeLeftOvers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    const isRunning = pid !== String(process.pid) && existsSync(`/proc/${pid}`);
    if (pid !== undefined && !isRunning) await remove(join(parent, name)).catch(() => undefined);
  }
}

/** Lazily: a process that a failed test has left running may still use the folder. */
async function remove(path: string): Promise<void> {
  await run('umount', ['-l', path]).catch(() => undefined);
  await rmdir(path);
}
