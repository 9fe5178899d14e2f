/** Mounts small disks for tests of a full disk. */
import { execFileSync } from 'node:child_process';

/** Whether tests may mount a disk. */
export const CAN_MOUNT = process.platform === 'linux' && process.getuid?.() === 0 && tryMount();

/** Mounts a disk at a folder. Returns the function that unmounts it. */
export function mountSmallDisk(folder: string, megabytes: number): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  return () => void execFileSync('umount', [folder]);
}

function tryMount(): boolean {
  const path = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', path], { stdio: 'ignore' });
    execFileSync('umount', [path]);
    return true;
  } catch {
    return false;
  } finally {
    execFileSync('rmdir', [path]);
  }
}
