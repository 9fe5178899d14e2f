import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { freePort } from '@greenroom/testing/free-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Binaries, findBinaries } from './binaries.ts';
import { ensureClusterDirectory } from './cluster-directory.ts';
import { ensureInitialised } from './initialise.ts';
import { chooseRunAs, type RunAs } from './run-as.ts';
import { createServerProcess, type ServerProcess, type ServerProcessOptions } from './server-process.ts';

let folder: string;
let directory: string;
let runAs: RunAs | undefined;
let binaries: Binaries;
let lines: string[];
let servers: ServerProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-process-'));
  await chmod(folder, 0o711);
  runAs = await chooseRunAs();
  binaries = await findBinaries(runAs);
  directory = await ensureClusterDirectory(join(folder, 'postgres'), runAs);
  const findTemplate = findEmptyCluster;
  await ensureInitialised({ directory, binaries, runAs, password: 'x', findTemplate, onProgress: () => {} });
  lines = [];
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function create(options: Partial<ServerProcessOptions> = {}): Promise<ServerProcess> {
  const port = await freePort();
  const onLog = (line: string) => void lines.push(line);
  const server = createServerProcess({ binaries, directory, port, runAs, onLog, ...options });
  servers.push(server);
  return server;
}

async function waitForLog(text: string): Promise<void> {
  while (!lines.some((line) => line.includes(text))) await new Promise(setImmediate);
}

it('can be stopped if its program cannot be run', async () => {
  const server = await create({ binaries: { postgres: join(folder, 'missing') } });
  await expect(server.start()).rejects.toThrow('PostgreSQL could not be started');
  await server.stop();
  expect(server.pid()).toBeUndefined();
});

it('leaves no process behind if it does not become ready', async () => {
  const server = await create({ readyTimeoutMs: 1 });
  const starting = server.start();
  const pid = server.pid() ?? 0;
  expect(process.kill(pid, 0)).toBe(true);
  await expect(starting).rejects.toThrow('did not become ready in time');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('leaves no process behind if it does not respond to signals', async () => {
  const server = await create({ readyTimeoutMs: 500 });
  const starting = server.start();
  const pid = server.pid() ?? 0;
  process.kill(pid, 'SIGSTOP');
  await expect(starting).rejects.toThrow('did not become ready in time');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('leaves no process behind if it does not become ready in the time of the start', async () => {
  const server = await create({ startTimeoutMs: 1 });
  const starting = server.start();
  const pid = server.pid() ?? 0;
  await expect(starting).rejects.toThrow('did not accept connections within 0.001 s');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

it('retries after a restart that could not be spawned', async () => {
  const postgres = join(folder, 'program');
  await symlink(binaries.postgres, postgres);
  const server = await create({ binaries: { postgres } });
  await server.start();
  await rm(postgres);
  process.kill(server.pid() ?? 0, 'SIGKILL');
  await waitForLog('PostgreSQL could not be started');
  await symlink(binaries.postgres, postgres);
  const started = lines.length;
  while (!lines.slice(started).some((line) => line.includes('ready to accept connections')))
    await new Promise(setImmediate);
  expect(server.pid()).toBeGreaterThan(0);
});

it('does not restart after it was stopped during a restart', async () => {
  const server = await create();
  await server.start();
  // A restart first removes an earlier server. This one takes a while.
  const leftOver = spawn('sh', ['-c', "trap '' INT; echo up; while :; do sleep 0.1; done"], {
    cwd: directory,
  });
  await once(leftOver.stdout, 'data');
  await writeFile(join(directory, 'postmaster.pid'), `${leftOver.pid}\n`);
  process.kill(server.pid() ?? 0, 'SIGKILL');
  await waitForLog('exited unexpectedly');
  const stopping = server.stop();
  leftOver.kill('SIGKILL');
  await stopping;
  const logged = lines.length;

  const next = await create({ onLog: () => {} });
  await next.start();
  expect(lines.slice(logged)).toEqual([]);
  expect(server.pid()).toBeUndefined();
});
