/** The nearest peer of the data API, on the same PostgreSQL: `@supabase/lite`, installed when it is first measured. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from './process.ts';

const HOME = join(import.meta.dirname, '..', 'peer');
const CLI = join(HOME, 'node_modules/@supabase/lite/dist/cli/index.js');

export interface Peer {
  url: string;
  headers: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the peer with a new project on an existing database. */
export async function startPeer(databaseUrl: string): Promise<Peer> {
  if (!existsSync(CLI))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: HOME, stdio: 'ignore' });
  const { folder, remove } = await temporaryFolder();
  const port = await freePort();
  await mkdir(join(folder, 'supabase'));
  await writeFile(join(folder, 'supabase', 'config.toml'), configuration(port, databaseUrl));
  const child = spawn(process.execPath, [CLI, 'start'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production', DO_NOT_TRACK: '1', LITE_TELEMETRY_DISABLED: '1' },
  });
  const url = `http://127.0.0.1:${port}`;
  const isServed = () =>
    fetch(`${url}/rest/v1/items?limit=1`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isServed())) {
    if (child.exitCode !== null) throw new Error(`the peer exited with code ${child.exitCode}`);
    await sleep(100);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await remove();
  };
  return { url, headers: {}, stop };
}

function configuration(port: number, databaseUrl: string): string {
  return `[api]
port = ${port}
schemas = ["public"]
max_rows = 1000000

[db]
driver = "postgres"
url = "${databaseUrl}"

[auth]
enabled = false
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
