/** Identifies the machine of a process, so that leases of ended processes are noticed. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns a text that is equal in all processes that see each other's process ids. On Linux these have the same boot of
 * the machine and the same namespace of process ids: two containers may have one host name and different processes.
 */
export function machineId(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    // Without /proc, other processes cannot be identified.
    return `${hostname()} ${process.pid}`;
  }
}

/** Whether a process of this machine exists. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
