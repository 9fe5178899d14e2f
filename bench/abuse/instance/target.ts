/** The instance under attack, in a separate process with a probe. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readPostmasterPid } from '../../measure/process.ts';
import type { Stall } from './probe.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const SCRIPT = join(import.meta.dirname, 'server.ts');
/** A server that has not stopped within this time is killed. */
const STOP_MS = 20_000;

/** The running instance under attack. */
export interface Target {
  url: string;
  pid: number;
  postmasterPid: number;
  /** Returns the longest runs of the event loop since the last call; undefined if the process does not respond. */
  readStall(): Promise<Stall | undefined>;
  /** Returns the log lines since the last call. Only errors are logged. */
  readLog(): string[];
  /** Returns the exit code or signal of the process; undefined while it runs. */
  ended(): string | undefined;
  stop(): Promise<void>;
}

/** Starts an instance on a data folder. @param env settings of the instance */
export async function startTarget(folder: string, env: Record<string, string>): Promise<Target> {
  const child = spawn(process.execPath, [SCRIPT, 'start'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      GREENROOM_DATA_DIR: folder,
      XDG_STATE_HOME: join(folder, 'state'),
      ...env,
    },
  });
  let log: string[] = [];
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on('line', (line) => log.push(line));
  }
  const url = await waitUntilReady(child, () => log);
  const postmasterPid = await readPostmasterPid(folder);
  return {
    url,
    pid: child.pid ?? 0,
    postmasterPid,
    readStall: () => readStall(child),
    readLog: () => {
      const lines = log;
      log = [];
      return lines;
    },
    ended: () => endOf(child),
    stop: () => stop(child),
  };
}

function waitUntilReady(child: ChildProcess, log: () => string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const url = /^ready (\S+)$/.exec(line)?.[1];
        if (url) resolve(url);
      });
    }
    child.once('exit', () => reject(new Error(`the instance did not start:\n${log().join('\n')}`)));
  });
}

const RESPONSE_TIMEOUT_MS = 30_000;

async function readStall(child: ChildProcess): Promise<Stall | undefined> {
  if (endOf(child) !== undefined) return undefined;
  const response = once(child, 'message', { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  child.send('stall');
  const [stall] = await response.catch(() => []);
  return stall as Stall | undefined;
}

function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `signal ${signalCode}`;
  return exitCode === null ? undefined : `exit code ${exitCode}`;
}

async function stop(child: ChildProcess): Promise<void> {
  if (endOf(child) !== undefined) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
