/** `greenroom start --cli-keys` on a data folder that has run with generated keys, and the way back. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { KeyFile } from '@greenroom/keys';
import { openDatabase } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAM_PATH } from './testing/program-path.ts';
import { createProjectInstance } from './testing/project-instance.ts';

const FIXED = {
  JWT_SECRET: 'super-secret-jwt-token-with-at-least-32-characters-long',
  ANON_KEY:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0',
  SERVICE_ROLE_KEY:
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU',
  PUBLISHABLE_KEY: 'sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH',
  SECRET_KEY: 'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
  S3_PROTOCOL_ACCESS_KEY_ID: '625729a08b95bf1b7ff351a663f3a23c',
  S3_PROTOCOL_ACCESS_KEY_SECRET: '850181e4652dd023b7a98c58ae0d2d34bd487ee0cc3254aed6eda37307425907',
  S3_PROTOCOL_REGION: 'local',
};
const NOTICE = expect.stringContaining('the fixed keys of the Supabase CLI, which are public');

let folder: string;
let databasePort: number;
let server: { child: ChildProcess; url: string; lines: string[] } | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-cli-keys-'));
  await chmod(folder, 0o711);
  databasePort = await freePort();
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const environment = (env: Readonly<Record<string, string>> = {}) => ({
  cwd: folder,
  env: {
    PATH: process.env.PATH,
    XDG_STATE_HOME: join(folder, 'state'),
    LOG_LEVEL: 'warn',
    PORT: '0',
    GREENROOM_DB_PORT: String(databasePort),
    GREENROOM_MAILBOX_ENABLED: 'false',
    ...env,
  },
});

/** Replaces the running server by one with these arguments. */
async function restart(...args: string[]): Promise<void> {
  await stop();
  const child = spawn(process.execPath, [PROGRAM_PATH, 'start', '--services', 'auth', ...args], {
    ...environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    if (!line.startsWith('ready ')) continue;
    server = { child, url: line.slice('ready '.length), lines };
    return;
  }
  throw new Error(`the server did not start: ${lines.join('\n')}`);
}

async function stop(): Promise<void> {
  if (server === undefined) return;
  const exited = once(server.child, 'exit');
  server.child.kill('SIGTERM');
  await exited;
  server = undefined;
}

interface Output {
  code: number | string;
  stdout: string;
  stderr: string;
}

function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Output> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM_PATH, ...args], environment(env), (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

async function status(): Promise<Record<string, string>> {
  return JSON.parse((await run(['status', '-o', 'json'])).stdout);
}

/** Status of a request of an administrator. */
async function adminStatus(apikey: string, token = apikey): Promise<number> {
  const headers = { apikey, authorization: `Bearer ${token}` };
  return (await fetch(`${server?.url}/auth/v1/admin/users`, { headers })).status;
}

/** Returns a JWT as a script signs it with the shared secret. */
function signedToken(claims: object, secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/** Signs in: with a new account, or by the refresh token of a session. Resolves with the next refresh token. */
async function session(apikey: string, path: string, body: object): Promise<string | undefined> {
  const init = { method: 'POST', headers: { apikey, 'content-type': 'application/json' } };
  const response = await fetch(`${server?.url}/auth/v1/${path}`, { ...init, body: JSON.stringify(body) });
  return ((await response.json()) as { refresh_token?: string }).refresh_token;
}

/** Whether a password is that of the owner of the database. */
async function canConnect(password: string): Promise<boolean> {
  const url = `postgresql://postgres:${password}@127.0.0.1:${databasePort}/postgres`;
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  try {
    await database.query({ text: 'select 1' });
    return true;
  } catch {
    return false;
  } finally {
    await database.close();
  }
}

const readKeys = async () =>
  JSON.parse(await readFile(join(folder, '.greenroom/keys.json'), 'utf8')) as KeyFile;

it('replaces generated keys and the password of the database by the fixed ones', async () => {
  await restart();
  const generated = await status();
  expect(server?.lines).not.toContainEqual(NOTICE);
  expect(await canConnect('postgres')).toBe(false);
  const account = { email: 'ada@example.org', password: 'correct horse battery' };
  const refreshToken = await session(generated.ANON_KEY ?? '', 'signup', account);

  await restart('--cli-keys');
  expect(server?.lines).toContainEqual(NOTICE);
  expect(await status()).toEqual({
    API_URL: server?.url,
    REST_URL: `${server?.url}/rest/v1`,
    GRAPHQL_URL: `${server?.url}/graphql/v1`,
    STORAGE_S3_URL: `${server?.url}/storage/v1/s3`,
    FUNCTIONS_URL: `${server?.url}/functions/v1`,
    STUDIO_URL: expect.stringMatching(/^http:\/\/localhost:\d+\/admin$/),
    DB_URL: `postgresql://postgres:postgres@127.0.0.1:${databasePort}/postgres`,
    // The Supabase CLI has none, so there is no fixed one.
    WEBHOOK_SECRET: generated.WEBHOOK_SECRET,
    ...FIXED,
  });
  expect(await canConnect('postgres')).toBe(true);
  const refresh = { refresh_token: refreshToken };
  expect(await session(FIXED.ANON_KEY, 'token?grant_type=refresh_token', refresh)).toMatch(/./);
  const { SERVICE_ROLE_KEY, SECRET_KEY, PUBLISHABLE_KEY, JWT_SECRET } = FIXED;
  const minted = signedToken({ role: 'service_role', exp: Math.floor(Date.now() / 1000) + 60 }, JWT_SECRET);
  expect(await Promise.all([SERVICE_ROLE_KEY, SECRET_KEY, minted].map((key) => adminStatus(key)))).toEqual([
    200, 200, 200,
  ]);
  expect(await adminStatus(PUBLISHABLE_KEY)).toBe(403);
  expect(await adminStatus(generated.SECRET_KEY ?? '')).toBe(401);
  expect(await adminStatus(generated.SERVICE_ROLE_KEY ?? '')).toBe(401);
});

it('uses the fixed keys at later starts, and says so', async () => {
  await restart();
  expect(server?.lines).toContainEqual(NOTICE);
  expect(await adminStatus(FIXED.SECRET_KEY)).toBe(200);
  await stop();
  expect(await status()).toMatchObject(FIXED);
});

it.each([
  [{ HOST: '0.0.0.0' }, 'HOST is 0.0.0.0'],
  [{ GREENROOM_PUBLIC_URL: 'https://example.org' }, 'the public URL is https://example.org'],
])('a later start with %j is refused', async (env, reason) => {
  const { code, stderr } = await run(['start', '--services', 'auth'], env);
  expect(code).toBe(1);
  expect(stderr).toContain('error: .greenroom/remembered.json: GREENROOM_CLI_KEYS="true" is not allowed.');
  expect(stderr).toContain(reason);
});

it('refuses the published JWT secret in config.toml on an instance that other machines reach', async () => {
  await using project = await createProjectInstance({
    'config.toml': `[auth]\njwt_secret = "${FIXED.JWT_SECRET}"\n`,
  });
  const { code, errors } = await project.run(['start', '--services', 'auth'], { env: { HOST: '0.0.0.0' } });
  expect([code, errors]).toEqual([
    1,
    'error: supabase/config.toml:2: auth.jwt_secret=(hidden) is not allowed. Allowed: a secret value (everyone knows this one, and HOST is 0.0.0.0, which is no loopback address)\n',
  ]);
});

it('returns to the generated keys with --no-cli-keys', async () => {
  await restart('--no-cli-keys');
  expect(server?.lines).not.toContainEqual(NOTICE);
  const { databasePassword, secretKey, jwtSecret } = await readKeys();
  expect(await status()).toMatchObject({ SECRET_KEY: secretKey, JWT_SECRET: jwtSecret });
  expect([await canConnect('postgres'), await canConnect(databasePassword)]).toEqual([false, true]);
  expect([await adminStatus(secretKey), await adminStatus(FIXED.SECRET_KEY)]).toEqual([200, 401]);
  expect(await adminStatus(FIXED.SERVICE_ROLE_KEY)).toBe(401);
  await restart();
  expect(server?.lines).not.toContainEqual(NOTICE);
});
