/** Finds the processes of an instance in /proc by its data folder. */
import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process that has not ended. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  /** Name of the program, such as `postgres` or `initdb`. */
  name: string;
}

/** Returns processes that work in the data folder or were started for it, including those whose parent has ended. */
export async function processesOf(folder: string): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const found = await Promise.all(pids.map((pid) => readProcess(pid, folder)));
  return found.filter((each) => each !== undefined);
}

/** Returns the process `root` and all of its descendants. */
export function descendantsOf(root: number, processes: readonly ProcessInfo[]): ProcessInfo[] {
  const family = new Set([root]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes.filter(({ pid }) => family.has(pid));
}

/** Returns the postmaster among the processes of an instance: PostgreSQL's other processes are its children. */
export function findPostmaster(processes: readonly ProcessInfo[]): ProcessInfo | undefined {
  const servers = processes.filter(({ name }) => name === 'postgres');
  return servers.find(({ parent }) => !servers.some(({ pid }) => pid === parent));
}

/** Returns the pid of a process in its own PID namespace. */
export async function innermostPid(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^NSpid:.*\t(\d+)$/m.exec(status)?.[1] ?? pid);
}

async function readProcess(pid: number, folder: string): Promise<ProcessInfo | undefined> {
  const [stat, directory, environment] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''),
  ]);
  const isOurs =
    directory.startsWith(`${folder}/`) || environment.split('\0').includes(`GREENROOM_DATA_DIR=${folder}`);
  const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!isOurs || state === 'Z') return undefined;
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  return { pid, parent: Number(parent), name };
}
