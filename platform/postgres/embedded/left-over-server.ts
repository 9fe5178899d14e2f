/**
 * Stops processes and removes lock files that an earlier run left on a cluster, for example after `kill -9` or a power
 * failure. The caller holds the lock of the data folder, so all of them are stale.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Time that each signal has to stop a process before the next, harsher one is sent, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 20;
/** The first line of a lock file; a standalone backend writes its pid as a negative number. */
const PID = /^-?[1-9]\d*(?=\n)/;
const LOCK_FILE = 'postmaster.pid';
const SOCKET_LOCK_FILE = /^\.s\.PGSQL\.\d+\.lock$/;
const run = promisify(execFile);

/**
 * Stops the remaining processes of an earlier server on `cluster` and releases its lock files, so that a new server can
 * start. Returns the pid of a postmaster that was stopped. Rejects if a process does not stop.
 */
export async function removeLeftOverServer(cluster: string): Promise<number | undefined> {
  const pid = await readPostmasterPid(cluster);
  const isRunning = pid !== undefined && (await isPostmasterOf(pid, cluster));
  // SIGINT is the fast shutdown, SIGQUIT the immediate one (recovery at the next start). Both are safe for the data.
  if (isRunning) await stop(pid, ['SIGINT', 'SIGQUIT']);
  // Without their postmaster, backends end at their next wait. A busy one keeps the shared memory, and with it the
  // cluster, in use.
  for (const backend of await processesOf(cluster)) await stop(backend, ['SIGQUIT', 'SIGKILL']);
  await releaseLockFiles(cluster);
  return isRunning ? pid : undefined;
}

/**
 * Kills the processes of an initialisation in `directory` that an earlier run left behind. They would write into the
 * folder of the next initialisation, which has the same path.
 */
export async function killLeftOverInitialisation(directory: string): Promise<void> {
  // In this order, because initdb runs PostgreSQL through a shell.
  for (const name of ['cp', 'initdb', 'sh', 'postgres'])
    for (const pid of await processesOf(directory, name)) await stop(pid, ['SIGKILL']);
}

/**
 * PostgreSQL refuses to start if the pid in its lock file exists, even if it is a zombie or belongs to another program.
 * It accepts the pid of its parent, which this process is about to be, and still checks the shared memory that the
 * file names. It also refuses a file without a pid; a postmaster that is killed while it writes the file leaves one.
 */
async function releaseLockFiles(cluster: string): Promise<void> {
  const path = join(cluster, LOCK_FILE);
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content !== undefined && !PID.test(content)) await rm(path);
  else if (content !== undefined) await writeFile(path, content.replace(PID, String(process.pid)));
  const names = await readdir(cluster);
  for (const name of names) if (SOCKET_LOCK_FILE.test(name)) await rm(join(cluster, name), { force: true });
}

async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, LOCK_FILE), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 && pid !== process.pid ? pid : undefined;
}

/** Whether a pid belongs to a server of this cluster: the working directory of its processes is the cluster. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (directory !== undefined) return directory === cluster;
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

/** Returns the pids of a program's processes whose working directory is `folder`; none on systems without `/proc`. */
async function processesOf(folder: string, program = 'postgres'): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  const pids = names.map(Number).filter((pid) => pid > 0 && pid !== process.pid);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
      if (directory !== folder) return false;
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return name.trim() === program;
    }),
  );
  return pids.filter((_, index) => found[index]);
}

/**
 * Kills a server whose processes do not respond. The postmaster goes first, so that it starts no others. It is safe for the
 * data, as a power failure is.
 */
export async function killServer(postmaster: number, cluster: string): Promise<void> {
  for (const pid of [postmaster, ...(await processesOf(cluster))]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

async function stop(pid: number, signals: readonly NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
      throw error;
    }
    if (await hasEnded(pid)) return;
  }
  throw new Error(`a PostgreSQL process left over from an earlier run (pid ${pid}) could not be stopped`);
}

async function hasEnded(pid: number): Promise<boolean> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (!(await isAlive(pid))) return true;
    await sleep(POLL_MS);
  }
  return !(await isAlive(pid));
}

/** A zombie is not alive: it has ended, and only its parent has not reaped it. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z';
}
