/** Starts Greenroom and references as separate processes, so that each can use its own core. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..');

/** A running process that has printed its line `ready`. */
export interface Running {
  url: string;
  child: ChildProcess;
  /** Milliseconds from spawn to the line `ready`. */
  readyMs: number;
  stop(): Promise<void>;
}

/**
 * Starts Greenroom on `folder` and a free port, in production. It runs the demo project, unless `args` names another.
 */
export function startGreenroomProcess(
  folder: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Running> {
  const words = [join(ROOT, 'cli/bin.mjs'), 'start', ...args];
  const folders = { GREENROOM_DATA_DIR: folder, XDG_STATE_HOME: join(folder, 'state') };
  return startProcess(words, { ...folders, ...env });
}

/** Runs a Node script that prints `ready URL` when it listens. */
export async function startProcess(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: '0',
      GREENROOM_DB_PORT: '0',
      GREENROOM_MAILBOX_PORT: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
  });
  const url = await new Promise<string>((resolve, reject) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const ready = /^ready (\S+)$/.exec(line)?.[1];
        if (ready) resolve(ready);
      });
    }
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} exited with code ${code}`)));
  });
  const readyMs = performance.now() - started;
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, child, readyMs, stop };
}

/** Creates a folder for data, and returns it with a function that removes it. */
export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-bench-'));
  await chmod(folder, 0o711);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Reads the keys of an instance with `greenroom status`. */
export async function readKeys(folder: string): Promise<Record<string, string>> {
  const child = spawn(process.execPath, [join(ROOT, 'cli/bin.mjs'), 'status', '-o', 'json'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GREENROOM_DATA_DIR: folder },
  });
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as Record<string, string>;
}

/** Reads the pid of the PostgreSQL of a data folder. */
export async function readPostmasterPid(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}
