/** A separate Caddy, if the machine has the program `caddy` (Debian: `apt-get install caddy`). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canConnect } from './can-connect.ts';

const PROGRAM = 'caddy';
const START_TIMEOUT_MS = 10_000;
const INTERVAL_MS = 20;

/** The reason why tests with Caddy are skipped; undefined if they are not. */
export const WITHOUT_CADDY =
  spawnSync(PROGRAM, ['version']).status === 0 ? undefined : `${PROGRAM} is not installed`;

/**
 * Starts Caddy with the default settings, except that it redirects no ports and has no port for administration.
 * @param sites content of the Caddyfile
 * @param port port on which it listens then
 */
export async function startTestCaddy(sites: string, port: number): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-caddy-'));
  const path = join(folder, 'Caddyfile');
  await writeFile(path, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${sites}`);
  const child = spawn(PROGRAM, ['run', '--config', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(child, 'exit').then(() => undefined);
  await waitUntilListening(port, child, () => output);
  return {
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (!(await canConnect(port))) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`Caddy did not start: ${output()}`);
    await sleep(INTERVAL_MS);
  }
}
