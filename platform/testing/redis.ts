/** A separate Redis, if the machine has the program `redis-server` (Debian: `apt-get install redis-server`). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

const PROGRAM = 'redis-server';

/** The reason why tests with Redis are skipped; undefined if they are not. */
export const WITHOUT_REDIS =
  spawnSync(PROGRAM, ['--version']).status === 0 ? undefined : `${PROGRAM} is not installed`;

/** A running Redis. It stores nothing on disk. */
export interface TestRedis {
  port: number;
  url: string;
  /** Kills it without a shutdown. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts Redis on a free port, in a separate folder. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-redis-'));
  const port = await freePort();
  let child = await start(folder, port);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      child = await start(folder, port);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function start(folder: string, port: number): Promise<ChildProcess> {
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--daemonize',
    'no',
  ];
  const child = spawn(PROGRAM, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`${PROGRAM} exited with code ${code}`)));
  });
  return child;
}
