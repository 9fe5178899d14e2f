/** An instance that is stopped while it serves requests ends its connections before PostgreSQL stops. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@greenroom/testing/free-port';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Prints URL and key as JSON when it accepts requests; logs to the standard error. */
const SERVER = `
  import { loadConfig } from './settings.ts';
  import { startGreenroom } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
  const instance = await startGreenroom({ config: loadConfig(process.env), pages: 'none' });
  process.once('SIGTERM', () => void instance.close());
  console.log(JSON.stringify({ url: instance.url, key: instance.backend.apiKeys.serviceRole }));`;
const STOPS = 3;
/** Number of requests before each stop. */
const REQUESTS = 100;
const CLIENTS = 20;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-stop-'));
  await chmod(folder, 0o711);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the instance, stops it during requests of several services, and returns its output. */
async function stopUnderLoad(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      // Most of a start is reading and compiling the sources.
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      GREENROOM_DATA_DIR: folder,
      GREENROOM_DB_PORT: '0',
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
    },
  });
  let printed = '';
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const exited = once(child, 'exit');
  const ready = Promise.withResolvers<{ url: string; key: string }>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    printed += `${line}\n`;
    if (line.startsWith('{"url"')) ready.resolve(JSON.parse(line));
  });
  const { url, key } = await Promise.race([
    ready.promise,
    exited.then(() => Promise.reject(new Error(printed))),
  ]);
  const client = createClient(url, key, { auth: { persistSession: false } });
  const requests: (() => PromiseLike<unknown>)[] = [
    () => client.rpc('missing'),
    () => client.storage.listBuckets(),
    () => client.auth.admin.listUsers(),
  ];
  const served = Promise.withResolvers<void>();
  let responses = 0;
  let isStopped = false;
  const load = Array.from({ length: CLIENTS }, async (_, index) => {
    while (!isStopped) {
      await requests[index % requests.length]?.();
      if (++responses === REQUESTS) served.resolve();
    }
  });
  await served.promise;
  child.kill('SIGTERM');
  await exited;
  isStopped = true;
  await Promise.all(load);
  return printed;
}

it('logs no lost connection', async () => {
  for (let stop = 0; stop < STOPS; stop++) {
    const printed = await stopUnderLoad();
    expect(printed.split('\n').filter((line) => /57P01|connection lost|terminating/.test(line))).toEqual([]);
  }
}, 120_000);
