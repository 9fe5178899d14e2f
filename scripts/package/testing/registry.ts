/** A real registry of npm (verdaccio) that contains tarballs of tests, and gets all other packages from npm. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const HOME = join(import.meta.dirname, '..', 'registry');
const PROGRAM = join(HOME, 'node_modules', 'verdaccio', 'bin', 'verdaccio');

/** A running registry. */
interface Registry {
  url: string;
  publish(tarball: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a registry with its data in a folder. Installs its program at the first call. */
export async function startRegistry(folder: string): Promise<Registry> {
  if (!existsSync(PROGRAM))
    execFileSync('npm', ['ci', '--workspaces=false', '--ignore-scripts'], { cwd: HOME, stdio: 'ignore' });
  await mkdir(folder, { recursive: true });
  const url = `http://127.0.0.1:${await freePort()}/`;
  await writeFile(join(folder, 'config.yaml'), CONFIGURATION);
  // Publishing requires a token, and the registry accepts every user.
  await writeFile(join(folder, 'npmrc'), `${url.slice('http:'.length)}:_authToken=none\n`);
  const child = spawn(process.execPath, [PROGRAM, '--config', join(folder, 'config.yaml'), '--listen', url], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await serving(url, child);
  return {
    url,
    async publish(tarball) {
      const options = ['--registry', url, '--userconfig', join(folder, 'npmrc'), '--provenance=false'];
      await run('npm', ['publish', tarball, ...options], { cwd: folder });
    },
    async close() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}

const CONFIGURATION = `
storage: ./packages
uplinks:
  npm:
    url: https://registry.npmjs.org/
packages:
  greenroom:
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: npm
max_body_size: 100mb
log: { type: stdout, format: pretty, level: error }
`;

async function serving(url: string, child: ChildProcess): Promise<void> {
  const isServing = () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServing())) {
    if (child.exitCode !== null) throw new Error(`the registry exited with code ${child.exitCode}`);
    await sleep(100);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
