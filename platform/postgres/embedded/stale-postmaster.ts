/**
 * After `kill -9` of our process its PostgreSQL lives on and holds the cluster. The caller owns the data folder's
 * lock, so such a server belongs to nobody: it is shut down before a new one starts.
 */

import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** How long each way of stopping may take before the next, harsher one, in milliseconds. */
const STOP_PATIENCE_MS = 10_000;
const run = promisify(execFile);

/** Stops a server left over on `cluster`, if there is one. Returns its pid if one was stopped. */
export async function stopStalePostmaster(cluster: string): Promise<number | undefined> {
  const pid = await readPostmasterPid(cluster);
  if (pid === undefined || !(await isPostmasterOf(pid, cluster))) return undefined;
  // SIGINT is the fast shutdown, SIGQUIT the immediate one (recovers at next start), both safe for the data.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    process.kill(pid, signal);
    if (await hasEnded(pid, STOP_PATIENCE_MS)) return pid;
  }
  throw new Error(`a PostgreSQL left over on ${cluster} (pid ${pid}) does not stop`);
}

async function readPostmasterPid(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return pid > 0 ? pid : undefined;
}

/** The pid may long belong to some other process: a postmaster's working directory is its cluster. */
async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const directory = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (directory !== undefined) return directory === cluster;
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function hasEnded(pid: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    if (!isAlive(pid)) return true;
    await sleep(20);
  }
  return !isAlive(pid);
}
