/** Starts Greenroom like a user does: through the command line in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..');

/** A running instance and its output. */
export interface Instance {
  url: string;
  /** Set only at the first start on a folder. */
  firstAdminUrl: string | undefined;
  folder: string;
  pid: number;
  /** The output on standard output and standard error so far. */
  output(): string;
  /** Sends SIGTERM and waits; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits. PostgreSQL keeps running, as after a crash. */
  kill(): Promise<void>;
}

/** Creates a new data folder outside of the repository. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-e2e-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Returns the environment of a separate instance on this folder. */
export function environment(folder: string, env: Record<string, string>): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // The registry of running instances is not that of the developer.
    XDG_STATE_HOME: join(folder, 'state'),
    PORT: '0',
    GREENROOM_DB_PORT: '0',
    GREENROOM_MAILBOX_ENABLED: 'false',
    LOG_LEVEL: 'warn',
    // Changes of schemas and settings write files of the project, which is that of the repository by default.
    GREENROOM_ADMIN_SCHEMA_CHANGES: 'off',
    GREENROOM_DATA_DIR: folder,
    ...env,
  };
}

/** Starts a command of the command line. */
export function spawnCli(args: string[], folder: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'cli/bin.mjs'), ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(folder, env),
  });
}

/** Runs a command to its end. */
export async function runCli(args: string[], folder: string, env: Record<string, string> = {}) {
  const child = spawnCli(args, folder, env);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

const running = new Set<ChildProcess>();

/** Stops the processes that a failed test has left running. */
export async function stopLeftovers(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    }),
  );
}

/** A process that {@link stopLeftovers} stops, and its output. */
export interface WatchedProcess {
  child: ChildProcess;
  /** The output on standard output and standard error so far. */
  output(): string;
  /** Resolves at the first line that matches; rejects with the output if the process ends before. */
  waitForLine(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code when the process has ended. */
  exited: Promise<number | null>;
}

/** Tracks a process from its start. */
export function watchOutput(child: ChildProcess): WatchedProcess {
  running.add(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  void exited.then(() => running.delete(child));
  const lines: string[] = [];
  const events = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      events.emit('line', line);
    });
  }
  const output = () => lines.join('\n');
  const waitForLine = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const check = (line: string) => {
        const found = pattern.exec(line);
        if (found) resolve(found);
      };
      lines.forEach(check);
      events.on('line', check);
      void exited.then((code) => reject(new Error(`the process ended with code ${code}:\n${output()}`)));
    });
  return { child, output, waitForLine, exited };
}

/** Starts an instance and waits for its line `ready`. Throws with its output if it ends before. */
export async function startInstance(
  folder: string,
  env: Record<string, string> = {},
  command: 'start' | 'dev' = 'start',
  args: readonly string[] = [],
): Promise<Instance> {
  const { child, output, waitForLine, exited } = watchOutput(spawnCli([command, ...args], folder, env));
  const [, url = ''] = await waitForLine(/^ready (http:\S+)$/);
  const firstAdminUrl = /first admin\s+(http\S+)/.exec(output())?.[1];
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    url,
    firstAdminUrl,
    folder,
    pid: child.pid ?? 0,
    output,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** Removes a folder created by {@link newDataFolder}. */
export function removeDataFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
