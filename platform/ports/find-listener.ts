/** Finds the process that listens on a TCP port. Linux only: other systems have no interface without another program. */
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/** A process that listens on a port. */
interface Listener {
  pid: number;
  /** Name of its program, e.g. `node`. */
  command: string;
  workingDirectory: string | undefined;
}

/** Tables of the sockets of this machine (proc_net(5)): IPv4, and IPv6, whose sockets may accept IPv4 as well. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** State of a socket that listens (`TCP_LISTEN` in `net/tcp_states.h`). */
const LISTENING = '0A';

/**
 * Returns a process that listens on a port; undefined on other systems, and for a process of another user, which only root
 * can see.
 */
export async function findListener(port: number): Promise<Listener | undefined> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'utf8').catch(() => '')));
  const sockets = new Set(tables.flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) if (await hasOpen(pid, sockets)) return describe(Number(pid));
  return undefined;
}

/**
 * Returns the links of sockets that listen on a port, e.g. `socket:[4711]`.
 * @param table lines `sl local_address rem_address st … inode`, after a heading; addresses are hexadecimal `address:port`
 */
export function listeningSockets(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => state === LISTENING && address?.endsWith(suffix))
    .map((columns) => `socket:[${columns[9]}]`);
}

/** Whether a process has one of these sockets open. */
async function hasOpen(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  for (const name of await readdir(folder).catch(() => [])) {
    const target = await readlink(`${folder}/${name}`).catch(() => '');
    if (sockets.has(target)) return true;
  }
  return false;
}

async function describe(pid: number): Promise<Listener> {
  const [program, name, workingDirectory] = await Promise.all([
    readlink(`/proc/${pid}/exe`).catch(() => ''),
    readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => undefined),
  ]);
  // The link of a program that was replaced since the start ends with " (deleted)".
  const command = basename(program.replace(/ \(deleted\)$/, '')) || name.trim() || 'another process';
  return { pid, command, workingDirectory };
}
