/** Starts an instance for crash tests, and kills some of its processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment, runCli, type WatchedProcess, watchOutput } from '../support/instance.ts';
import { descendantsOf, findPostmaster, innermostPid, type ProcessInfo, processesOf } from './processes.ts';
import type { Access } from './writers.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child'];
const START_TIMEOUT_MS = 90_000;
const HEALTH_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Processes that a kill ends. */
export type Victims = 'server' | 'postmaster' | 'server and postmaster' | 'all processes';

/** Whether this system allows creating a PID namespace: this needs Linux and, in most configurations, root. */
export function canUnshare(): boolean {
  return spawnSync('unshare', [...NAMESPACE, 'true']).status === 0;
}

/** A started process that may not be ready yet. */
export interface Launched extends WatchedProcess {
  folder: string;
  isInNamespace: boolean;
  /** The last postmaster that a kill ended, by its pid in its own namespace. */
  killedPostmaster?: number | undefined;
}

/** Runs `greenroom start` on a data folder. In a PID namespace, it is process 1. */
export function launch(folder: string, isInNamespace: boolean): Launched {
  const args = [join(ROOT, 'cli/bin.mjs'), 'start'];
  const [command, ...rest] = isInNamespace
    ? ['unshare', ...NAMESPACE, process.execPath, ...args]
    : [process.execPath, ...args];
  const child: ChildProcess = spawn(command as string, rest, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(folder, {}),
  });
  return { ...watchOutput(child), folder, isInNamespace };
}

/** Resolves when the instance responds; rejects with its output if the start fails. */
export async function waitUntilReady({ waitForLine, output, folder }: Launched): Promise<Access> {
  const timeout = sleep(START_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`the instance did not become ready in time:\n${output()}`);
  });
  const [, url = ''] = await Promise.race([waitForLine(/^ready (http:\S+)$/), timeout]);
  const { stdout } = await runCli(['status', '-o', 'json'], folder);
  const { ANON_KEY: anonKey = '', SERVICE_ROLE_KEY: serviceKey = '' } = JSON.parse(stdout);
  await waitUntilHealthy(url);
  return { url, anonKey, serviceKey };
}

/** Resolves when every part of the instance is ready. */
async function waitUntilHealthy(url: string): Promise<void> {
  const deadline = Date.now() + HEALTH_TIMEOUT_MS;
  for (;;) {
    const response = await fetch(`${url}/health`);
    const text = await response.text();
    if (response.ok) return;
    if (Date.now() > deadline) throw new Error(`the instance is not healthy: ${text}`);
    await sleep(POLL_MS);
  }
}

/** Resolves when the instance has started PostgreSQL again after its postmaster was killed. */
export async function waitForRestart(launched: Launched, url: string): Promise<void> {
  const deadline = Date.now() + HEALTH_TIMEOUT_MS;
  for (;;) {
    const pid = await readPostmasterPid(launched);
    if (pid !== undefined && pid !== launched.killedPostmaster) break;
    if (Date.now() > deadline) throw new Error(`PostgreSQL was not started again:\n${launched.output()}`);
    await sleep(POLL_MS);
  }
  await waitUntilHealthy(url);
}

/** Sends SIGKILL to processes of an instance. Resolves when the instance has ended, unless it survives the kill. */
export async function kill(launched: Launched, victims: Victims): Promise<void> {
  const processes = await processesOf(launched.folder);
  launched.killedPostmaster = await readPostmasterPid(launched);
  for (const { pid } of choose(launched, victims, processes)) killOne(pid);
  if (victims !== 'postmaster') await launched.exited;
}

/** Returns processes that work in the data folder although the running instance, if any, did not start them. */
export async function findOrphans(folder: string, running?: Launched): Promise<ProcessInfo[]> {
  const processes = await processesOf(folder);
  const family = running ? descendantsOf(running.child.pid ?? 0, processes) : [];
  return processes.filter((each) => !family.includes(each));
}

/** Returns the postmaster's pid in its own PID namespace. */
export async function readPostmasterPid({ folder, child }: Launched): Promise<number | undefined> {
  const postmaster = findPostmaster(descendantsOf(child.pid ?? 0, await processesOf(folder)));
  return postmaster ? innermostPid(postmaster.pid) : undefined;
}

function choose(
  { child, isInNamespace }: Launched,
  victims: Victims,
  processes: readonly ProcessInfo[],
): ProcessInfo[] {
  const family = descendantsOf(child.pid ?? 0, processes);
  const server = family.filter(({ pid, parent }) => (isInNamespace ? parent : pid) === child.pid);
  const postmaster = findPostmaster(family);
  if (victims === 'all processes') return family;
  if (victims === 'server') return server;
  return [...(victims === 'postmaster' ? [] : server), ...(postmaster ? [postmaster] : [])];
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
