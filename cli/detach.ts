/** Starts an instance in the background, and waits until it is ready or has failed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ensureDataFolder, requireFreeFolder } from '@greenroom/data-folder';
import { followLog } from './follow-log.ts';
import { type ProjectOptions, readConfig } from './settings.ts';

/** File in the data folder with the output of an instance in the background; `.1` is that of the start before. */
const LOG_FILE = 'greenroom.log';
/** Returns the path of the log of an instance in the background. */
export function logFileOf(dataDirectory: string): string {
  return join(resolve(dataDirectory), LOG_FILE);
}

/** Variables by which a server recognises the process that it should end with, see launcher-watch.ts. */
const LAUNCHER_VARIABLES = ['GREENROOM_LAUNCHER_PID', 'npm_lifecycle_event'];
/** Variable of an instance that reports to the process that has started it. */
const DETACHED = 'GREENROOM_DETACHED';
const READY = 'ready';

/**
 * Starts this program again with `args`, prints its output until the start ends, and returns its exit code if it fails.
 * @param args arguments of the command, without `--detach`
 */
export async function startDetached(args: readonly string[], options: ProjectOptions): Promise<number> {
  const config = await readConfig(options);
  if (config.app.hosted)
    throw new Error('--detach requires a data folder, which an app on a hosted backend has not.');
  await requireFreeFolder(config.dataDirectory);
  const path = logFileOf(config.dataDirectory);
  await ensureDataFolder(config.dataDirectory);
  await rename(path, `${path}.1`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const file = await open(path, 'a', 0o600);
  const child = spawn(process.execPath, [...programArguments(options), ...args], {
    detached: true,
    stdio: ['ignore', file.fd, file.fd, 'ipc'],
    env: environment(),
  });
  await file.close();
  process.stdout.write(`  log         ${path}\n`);
  const log = followLog(path);
  const code = await outcomeOf(child);
  log.end();
  child.unref();
  return code;
}

/** Called by an instance that accepts requests. */
export function notifyReady(): void {
  // With a callback, a failure to send is no error of this process.
  if (process.env[DETACHED] !== undefined) process.send?.(READY, () => undefined);
}

function programArguments({ project, remote }: ProjectOptions): string[] {
  const [, program = ''] = process.argv;
  const named = { project, remote };
  const ofProject = Object.entries(named).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []));
  return [...process.execArgv, program, 'start', ...ofProject];
}

function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !LAUNCHER_VARIABLES.includes(name));
  return { ...Object.fromEntries(others), [DETACHED]: '1' };
}

/** Resolves with 0 when the instance is ready, otherwise with its exit code. A Ctrl-C meanwhile stops the instance. */
async function outcomeOf(child: ChildProcess): Promise<number> {
  const stop = () => void child.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  const ready = new Promise<number>((done) => {
    child.on('message', (message) => {
      if (message === READY) done(0);
    });
  });
  const ended = once(child, 'exit').then(([code]) => (code as number | null) || 1);
  const outcome = await Promise.race([ready, ended]);
  if (child.connected) child.disconnect();
  return outcome;
}
