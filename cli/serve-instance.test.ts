/** `greenroom start --project <folder>`, from another folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

let folder: string;
let server: ChildProcess | undefined;
const output: string[] = [];
const warnings: string[] = [];
let port: number;

/** Options of a process without the settings of this one. */
const environment = () => ({
  cwd: tmpdir(),
  env: {
    PATH: process.env.PATH,
    XDG_STATE_HOME: join(folder, 'state'),
    LOG_LEVEL: 'warn',
    GREENROOM_DB_PORT: '',
  },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-serve-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase'));
  port = await freePort();
  const database = await freePort();
  await writeFile(
    join(folder, 'supabase/config.toml'),
    `[api]\nport = ${port}\n[db]\nport = ${database}\n[db.settings]\nwork_mem = "6MB"\n[auth]\nenabled = false\nsite_ulr = "x"\n`,
  );
  server = spawn(process.execPath, [MAIN, 'start', '--project', folder], {
    ...environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface({ input: server.stderr as NodeJS.ReadableStream }).on('line', (line) =>
    warnings.push(line),
  );
  for await (const line of createInterface({ input: server.stdout as NodeJS.ReadableStream })) {
    output.push(line);
    if (line.startsWith('ready ')) return;
  }
  throw new Error(`the server did not start: ${[...output, ...warnings].join('\n')}`);
});
afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGKILL');
    await once(server, 'close');
  }
  await rm(folder, { recursive: true });
});

it('has the ports and services of config.toml, and no pages without authentication', async () => {
  expect(output.at(-1)).toBe(`ready http://127.0.0.1:${port}`);
  expect(output).toContain('  authentication is disabled, so there are no pages');
  const statuses = ['/', '/auth/v1/settings', '/rest/v1/', '/health'].map(async (path) => {
    return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  });
  expect(await Promise.all(statuses)).toEqual([404, 404, 401, 200]);
});

it('warns once about unknown keys', () => {
  expect(warnings.filter((line) => line.includes('site_ulr'))).toEqual([
    'warning: supabase/config.toml:9: the key auth.site_ulr is unknown and has no effect. Did you mean auth.site_url?',
  ]);
});

it('is found by other commands with the same project', async () => {
  const args = [MAIN, 'status', '-o', 'json', '--project', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, environment());
  expect(JSON.parse(stdout)).toMatchObject({ API_URL: `http://127.0.0.1:${port}` });
});

it('is compared with the current settings by config diff', async () => {
  const lastLine = async (env: Readonly<Record<string, string>> = {}) => {
    const args = [MAIN, 'config', 'diff', '--project', folder];
    const options = environment();
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      ...options,
      env: { ...options.env, ...env },
    });
    return stdout.trim().split('\n').at(-1);
  };
  expect(await lastLine()).toBe('the running instance has the same settings');
  expect(await lastLine({ GOTRUE_JWT_EXP: '7', GOTRUE_SMTP_PASS: 'hunter2' })).toBe(
    'the running instance has other values, until it is restarted: GOTRUE_JWT_EXP, GOTRUE_SMTP_PASS',
  );
});

it('stops at wrong values before anything is started', async () => {
  const args = [MAIN, 'start', '--project', folder];
  await writeFile(join(folder, 'supabase/config.toml'), '[api]\nport = "many"\n');
  await expect(promisify(execFile)(process.execPath, args, environment())).rejects.toMatchObject({
    code: 1,
    stderr:
      'error: supabase/config.toml:2: api.port="many" is not allowed. Allowed: a whole number from 0 to 65535\n',
  });
});
