/** A Greenroom started the way a person starts it: the command line in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..');

/** A process and what it said. */
export interface Instance {
  url: string;
  /** Only at the first start on a folder. */
  firstAdminUrl: string | undefined;
  folder: string;
  pid: number;
  /** Everything on standard output and standard error so far. */
  output(): string;
  /** SIGTERM, and waits; gives the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, and waits. PostgreSQL is left behind, as by a crash. */
  kill(): Promise<void>;
}

/** A data folder of its own, outside of the repository. */
export async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-e2e-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Runs a command of the command line. */
export function spawnCli(words: string[], folder: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [join(ROOT, 'cli/main.ts'), ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'warn', GREENROOM_DATA_DIR: folder, ...env },
  });
}

/** Runs a command to its end. */
export async function runCli(words: string[], folder: string, env: Record<string, string> = {}) {
  const child = spawnCli(words, folder, env);
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

/** Ends what a failed test left running. */
export async function stopLeftovers(): Promise<void> {
  await Promise.all(
    [...running].map((child) => {
      child.kill('SIGTERM');
      return once(child, 'exit');
    }),
  );
}

/** Starts an instance and waits for its line `ready`. Throws with its output where it ends before. */
export async function startInstance(
  folder: string,
  env: Record<string, string> = {},
  command: 'start' | 'dev' = 'start',
): Promise<Instance> {
  const child = spawnCli([command], folder, env);
  running.add(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  void exited.then(() => running.delete(child));
  const output: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        output.push(line);
        const ready = /^ready (http:\S+)$/.exec(line);
        if (ready?.[1]) resolve(ready[1]);
      });
    }
    void exited.then(([code]) => reject(new Error(`start ended with code ${code}:\n${output.join('\n')}`)));
  });
  const text = () => output.join('\n');
  const firstAdminUrl = /first admin\s+(http\S+)/.exec(text())?.[1];
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await exited;
    return code;
  };
  return {
    url,
    firstAdminUrl,
    folder,
    pid: child.pid ?? 0,
    output: text,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

/** Removes a folder made by {@link newDataFolder}. */
export function removeDataFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}
