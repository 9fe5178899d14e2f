/** `greenroom status` and a running server with settings that the command does not have. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { KeyFile } from '@greenroom/keys';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAM_PATH } from './testing/program-path.ts';

const OVERRIDES = {
  GREENROOM_JWT_SECRET: 'another secret of at least 32 bytes',
  S3_PROTOCOL_ACCESS_KEY_ID: 'another-access-key',
  S3_PROTOCOL_ACCESS_KEY_SECRET: 'another-secret-access-key',
  S3_PROTOCOL_REGION: 'eu-west-1',
};

let folder: string;
let server: ChildProcess | undefined;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-status-'));
  await chmod(folder, 0o711);
  url = await start(OVERRIDES);
});
afterAll(async () => {
  await stop('SIGKILL');
  await rm(folder, { recursive: true });
});

/** Environment of a command in {@link folder}, without that of the test run. */
const environment = (env: Record<string, string> = {}) => ({
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    XDG_STATE_HOME: join(folder, 'state'),
    LOG_LEVEL: 'warn',
    PORT: '0',
    ...env,
  },
});
const dataFile = (name: string) => join(folder, '.greenroom', name);

/** Starts an instance with one service; resolves with its URL. */
async function start(env: Record<string, string>): Promise<string> {
  server = spawn(process.execPath, [PROGRAM_PATH, 'start', '--services', 'auth'], {
    ...environment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout as NodeJS.ReadableStream })) {
    if (line.startsWith('ready ')) return line.slice('ready '.length);
  }
  throw new Error('the server did not start');
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (server === undefined) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  server = undefined;
  await exited;
}

async function status(): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROGRAM_PATH, 'status', '-o', 'json'],
    environment(),
  );
  return JSON.parse(stdout);
}

const statusOfUsers = async (key = '') =>
  (await fetch(`${url}/auth/v1/admin/users`, { headers: { apikey: key, authorization: `Bearer ${key}` } }))
    .status;

it('prints the keys of the running server, not those of its own environment and of changed files', async () => {
  const printed = await status();
  expect(printed).toMatchObject({
    API_URL: url,
    JWT_SECRET: OVERRIDES.GREENROOM_JWT_SECRET,
    S3_PROTOCOL_ACCESS_KEY_ID: OVERRIDES.S3_PROTOCOL_ACCESS_KEY_ID,
    S3_PROTOCOL_ACCESS_KEY_SECRET: OVERRIDES.S3_PROTOCOL_ACCESS_KEY_SECRET,
    S3_PROTOCOL_REGION: OVERRIDES.S3_PROTOCOL_REGION,
  });
  expect(await statusOfUsers(printed.SERVICE_ROLE_KEY)).toBe(200);
  expect(await statusOfUsers(printed.SECRET_KEY)).toBe(200);

  // A reload does not read the keys again.
  const file = JSON.parse(await readFile(dataFile('keys.json'), 'utf8')) as KeyFile;
  await writeFile(dataFile('keys.json'), JSON.stringify({ ...file, secretKey: 'sb_secret_next' }));
  server?.kill('SIGHUP');
  expect(await statusOfUsers('sb_secret_next')).toBe(401);
  expect(await status()).toEqual(printed);
  expect((await stat(dataFile('instance.json'))).mode & 0o777).toBe(0o600);
});

it('prints the keys of the next start after a stop, which removes the secrets of the server from the folder', async () => {
  await stop('SIGTERM');
  const file = JSON.parse(await readFile(dataFile('keys.json'), 'utf8')) as KeyFile;
  expect(await status()).toMatchObject({
    JWT_SECRET: file.jwtSecret,
    SECRET_KEY: file.secretKey,
    S3_PROTOCOL_ACCESS_KEY_ID: file.s3KeyPair?.accessKeyId,
  });
  const record = await readFile(dataFile('instance.json'), 'utf8');
  for (const secret of Object.values(OVERRIDES)) expect(record).not.toContain(secret);
});
