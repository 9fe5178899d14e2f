/** A separate nginx, if the machine has the program `nginx` (Debian: `apt-get install nginx-light`). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canConnect } from './can-connect.ts';

const PROGRAM = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0);
const START_TIMEOUT_MS = 10_000;
const INTERVAL_MS = 20;

/** The reason why tests with nginx are skipped; undefined if nginx is installed. */
export const WITHOUT_NGINX = PROGRAM === undefined ? 'nginx is not installed' : undefined;

/** A running nginx. */
export interface TestNginx {
  /** Returns its error log so far. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts nginx with the default settings and one server.
 * @param server content of its `server` block
 * @param port port on which the server listens
 */
export function startTestNginx(server: string, port: number): Promise<TestNginx> {
  return startTestNginxSites(`server { listen 127.0.0.1:${port}; ${server} }`, port);
}

/**
 * Starts nginx with the default settings and some servers.
 * @param sites content of its `http` block
 * @param port port on which one of the servers listens
 */
export async function startTestNginxSites(sites: string, port: number): Promise<TestNginx> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-nginx-'));
  await mkdir(join(folder, 'logs'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    daemon off;
    pid ${folder}/pid;
    error_log ${folder}/logs/error.log warn;
    events {}
    http {
      access_log off;
      ${temporary.join('\n      ')}
      ${sites}
    }`;
  await writeFile(join(folder, 'nginx.conf'), configuration);
  const child = spawn(PROGRAM ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const exited = once(child, 'exit').then(() => undefined);
  await waitUntilListening(port, child, () => errorOutput);
  return {
    log: () => readFile(join(folder, 'logs/error.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function waitUntilListening(
  port: number,
  child: ChildProcess,
  errorOutput: () => string,
): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (await canConnect(port)) return;
    if (child.exitCode !== null || Date.now() > end) throw new Error(`nginx did not start: ${errorOutput()}`);
    await sleep(INTERVAL_MS);
  }
}
