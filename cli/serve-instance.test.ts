/** `greenroom start --project <folder>`, from another folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { openDatabase } from '@greenroom/postgres';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAM_PATH } from './testing/program-path.ts';

/** Parameters of PostgreSQL, each with another value than its default and that of Greenroom. */
const PARAMETERS: Readonly<Record<string, string | number | boolean>> = {
  effective_cache_size: '256MB',
  logical_decoding_work_mem: '32MB',
  maintenance_work_mem: '48MB',
  max_connections: 60,
  max_locks_per_transaction: 72,
  max_parallel_maintenance_workers: 1,
  max_parallel_workers: 5,
  max_parallel_workers_per_gather: 1,
  max_replication_slots: 7,
  max_slot_wal_keep_size: '2GB',
  max_standby_archive_delay: '20s',
  max_standby_streaming_delay: '25s',
  max_wal_size: '512MB',
  max_wal_senders: 6,
  max_worker_processes: 9,
  session_replication_role: 'local',
  shared_buffers: '80MB',
  statement_timeout: '5min',
  track_activity_query_size: '4kB',
  track_commit_timestamp: true,
  wal_keep_size: '64MB',
  wal_sender_timeout: '45s',
  work_mem: '6MB',
};

let folder: string;
let server: ChildProcess | undefined;
const output: string[] = [];
const warnings: string[] = [];
let port: number;
let databasePort: number;

/** Options of a process without the settings of this one. */
const environment = () => ({
  cwd: tmpdir(),
  env: {
    PATH: process.env.PATH,
    XDG_STATE_HOME: join(folder, 'state'),
    LOG_LEVEL: 'warn',
    GREENROOM_DB_PORT: '',
    GREENROOM_MAILBOX_ENABLED: 'false',
  },
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-serve-'));
  await chmod(folder, 0o711);
  await mkdir(join(folder, 'supabase'));
  port = await freePort();
  databasePort = await freePort();
  const parameters = Object.entries(PARAMETERS).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  await writeFile(
    join(folder, 'supabase/config.toml'),
    [
      `[api]\nport = ${port}\n[db]\nport = ${databasePort}`,
      '[auth]\nenabled = false\nsite_ulr = "x"',
      '[db.settings]',
      ...parameters,
    ].join('\n'),
  );
  server = spawn(process.execPath, [PROGRAM_PATH, 'start', '--project', folder], {
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

/** Returns the values that `greenroom status` prints. */
async function status(): Promise<Record<string, string>> {
  const args = [PROGRAM_PATH, 'status', '-o', 'json', '--project', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, environment());
  return JSON.parse(stdout);
}

it('has the ports and services of config.toml, and no pages without authentication', async () => {
  expect(output.at(-1)).toBe(`ready http://127.0.0.1:${port}`);
  expect(output).toContain('  authentication is disabled, so there are no pages');
  const statuses = ['/', '/auth/v1/settings', '/rest/v1/', '/health'].map(async (path) => {
    return (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  });
  expect(await Promise.all(statuses)).toEqual([404, 404, 401, 200]);
  const socket = connect(databasePort, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
});

it('has the parameters of the database in config.toml', async () => {
  const { DB_URL } = await status();
  const database = openDatabase({ url: DB_URL ?? '', max: 1, applicationName: 'test' });
  const rows = await database.query<{ name: string; value: string }>({
    text: 'select name, current_setting(name) as value from unnest($1::text[]) as name',
    values: [Object.keys(PARAMETERS)],
  });
  await database.close();
  const expected = Object.entries(PARAMETERS).map(([name, value]) => [
    name,
    value === true ? 'on' : `${value}`,
  ]);
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual(
    Object.fromEntries(expected),
  );
});

it('warns once about unknown keys', () => {
  expect(warnings.filter((line) => line.includes('site_ulr'))).toEqual([
    'warning: supabase/config.toml:7: the key auth.site_ulr is unknown and has no effect. Did you mean auth.site_url?',
  ]);
});

it('is found by other commands with the same project', async () => {
  expect(await status()).toMatchObject({ API_URL: `http://127.0.0.1:${port}` });
});

it('is compared with the current settings by config diff', async () => {
  const lastLine = async (env: Readonly<Record<string, string>> = {}) => {
    const args = [PROGRAM_PATH, 'config', 'diff', '--project', folder];
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
  const args = [PROGRAM_PATH, 'start', '--project', folder];
  await writeFile(join(folder, 'supabase/config.toml'), '[api]\nport = "many"\n');
  await expect(promisify(execFile)(process.execPath, args, environment())).rejects.toMatchObject({
    code: 1,
    stderr:
      'error: supabase/config.toml:2: api.port="many" is not allowed. Allowed: a whole number from 0 to 65535\n',
  });
});
