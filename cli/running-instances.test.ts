/** Several projects with the same ports, in the foreground and in the background; `greenroom list` and `stop`. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openDataFolder } from '@greenroom/data-folder';
import { freePort } from '@greenroom/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM_PATH } from './testing/program-path.ts';

let folder: string;
/** The ports in the config.toml of every project. */
let ports: { api: number; database: number; mailbox: number };
const running = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'greenroom-instances-')));
  await chmod(folder, 0o711);
  ports = await freePorts();
  for (const name of ['one', 'two']) await writeConfig(name, ports);
});
afterAll(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    if (child.exitCode === null) await once(child, 'close');
  }
  await run(['stop', '--all']);
  await rm(folder, { recursive: true });
});

async function freePorts(): Promise<typeof ports> {
  return { api: await freePort(), database: await freePort(), mailbox: await freePort() };
}

async function writeConfig(name: string, { api, database, mailbox }: typeof ports): Promise<void> {
  await mkdir(join(folder, name, 'supabase'), { recursive: true });
  await chmod(join(folder, name), 0o711);
  const text = `project_id = "${name}"\n[api]\nport = ${api}\n[db]\nport = ${database}\n[local_smtp]\nport = ${mailbox}\n`;
  await writeFile(join(folder, name, 'supabase/config.toml'), text);
}

/** Options of a command without the settings of this process; its registry is in {@link folder}. */
const environment = (env: Readonly<Record<string, string>> = {}) => ({
  cwd: folder,
  env: { PATH: process.env.PATH, LOG_LEVEL: 'warn', XDG_STATE_HOME: join(folder, 'state'), ...env },
});

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

const startArguments = (name: string) => ['start', '--services', 'auth', '--project', name];

interface Started {
  child: ChildProcess;
  url: string;
  lines: string[];
}

/** Starts a project in the foreground; resolves when it is ready. */
async function start(name: string): Promise<Started> {
  const child = spawn(process.execPath, [PROGRAM_PATH, ...startArguments(name)], {
    ...environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    lines.push(line);
    if (line.startsWith('ready ')) return { child, url: line.slice('ready '.length), lines };
  }
  throw new Error(`the server did not start: ${lines.join('\n')}`);
}

async function listed(): Promise<Record<string, unknown>[]> {
  const { stdout } = await run(['list', '-o', 'json']);
  return JSON.parse(stdout) as Record<string, unknown>[];
}

async function stop(name: string): Promise<Output> {
  return run(['stop', '--project', name]);
}

const statusOf = async (url: string) => (await fetch(`${url}/health`)).status;
const configuredUrl = () => `http://127.0.0.1:${ports.api}`;

describe('two projects with the same ports', () => {
  /** The project that got the configured ports, and the one that moved. */
  let first: Started & { name: string };
  let moved: Started & { name: string };

  beforeAll(async () => {
    const names = ['one', 'two'];
    const started = await Promise.all(names.map(async (name) => ({ name, ...(await start(name)) })));
    const [a, b] = started as [typeof first, typeof first];
    [first, moved] = a.url === configuredUrl() ? [a, b] : [b, a];
  });

  it('run at once if they are started at once, and one says which ports it uses instead', async () => {
    expect(first.url).toBe(configuredUrl());
    expect(await Promise.all([first, moved].map(({ url }) => statusOf(url)))).toEqual([200, 200]);
    const instead = Number(new URL(moved.url).port);
    expect(instead).toBeGreaterThan(ports.api);
    const holder = `the Greenroom instance of ${join(folder, first.name)} (pid ${first.child.pid})`;
    expect(moved.lines).toContain(
      `  port ${ports.api} is in use by ${holder}; port ${instead} is used instead from now on`,
    );
    expect(moved.lines.filter((line) => line.includes('is used instead'))).toHaveLength(3);
    expect(first.lines.filter((line) => line.includes('is used instead'))).toEqual([]);
    // The public URL is that of the port.
    const settings = await fetch(`${moved.url}/auth/v1/.well-known/openid-configuration`);
    expect((await settings.json()) as unknown).toMatchObject({ issuer: `${moved.url}/auth/v1` });
  });

  it('have mailboxes of their own, whose URLs greenroom status prints', async () => {
    const urls = [first, moved].map(async ({ name }) => {
      const { stdout } = await run(['status', '-o', 'json', '--project', name]);
      const { MAILPIT_URL: url, INBUCKET_URL: former } = JSON.parse(stdout) as Record<string, string>;
      expect(former).toBe(url);
      expect((await fetch(`${url}/api/v1/messages`)).status).toBe(200);
      return url;
    });
    const [ofFirst, ofMoved = ''] = await Promise.all(urls);
    expect(ofFirst).toBe(`http://127.0.0.1:${ports.mailbox}`);
    expect(moved.lines).toContain(`  mailbox     ${ofMoved}`);
    expect(Number(new URL(ofMoved).port)).toBeGreaterThan(ports.mailbox);
  });

  it('are listed with project, folder, URL, database port, pid and time, without secrets', async () => {
    const instances = await listed();
    const ofProject = (project: string) => instances.find((each) => each.project === project);
    expect(instances).toHaveLength(2);
    expect(ofProject(first.name)).toEqual({
      project: first.name,
      folder: join(folder, first.name),
      dataFolder: join(folder, first.name, '.greenroom'),
      url: first.url,
      databasePort: ports.database,
      pid: first.child.pid,
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(ofProject(moved.name)).toMatchObject({ url: moved.url, pid: moved.child.pid });
    expect(ofProject(moved.name)?.databasePort).not.toBe(ports.database);
    const { stdout } = await run(['list']);
    expect(stdout.split('\n')[0]).toMatch(/^PROJECT +URL +DATABASE PORT +PID +SINCE +FOLDER$/);
    expect(stdout).toContain(`${first.url}  ${ports.database}`);
    const state = join(folder, 'state/greenroom');
    const files = (await readdir(state)).filter((name) => name.endsWith('.json'));
    const registry = await Promise.all(files.map((name) => readFile(join(state, name), 'utf8')));
    const keys = JSON.parse(await readFile(join(folder, 'one/.greenroom/keys.json'), 'utf8'));
    for (const name of ['jwtSecret', 'secretKey', 'databasePassword'])
      expect(registry.join()).not.toContain(keys[name]);
  });

  it('have settings that equal those of the running instance', async () => {
    const { stdout } = await run(['config', 'diff', '--project', moved.name]);
    expect(stdout).toContain(`PORT="${new URL(moved.url).port}"`);
    expect(stdout).toContain(`# ${moved.name}/.greenroom/remembered.json`);
    expect(stdout.trim().split('\n').at(-1)).toBe('the running instance has the same settings');
  });

  it('keep a port that the environment sets, which is an error', async () => {
    await stop(moved.name);
    const { code, stderr } = await run(startArguments(moved.name), { PORT: String(ports.api) });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `error: port ${ports.api} is already in use on 127.0.0.1 by the Greenroom instance of ${join(folder, first.name)} (pid ${first.child.pid}). Set PORT to another port, or to 0 for any free port.\n`,
    );
    const database = await run(startArguments(moved.name), { GREENROOM_DB_PORT: String(ports.database) });
    expect(database.code).toBe(1);
    expect(database.stderr).toContain(
      `port ${ports.database} is already in use on 127.0.0.1 by the Greenroom`,
    );
    expect(database.stderr).toContain('Stop it, or set GREENROOM_DB_PORT to another port.');
  });

  it('use the same ports again after a stop, until the configuration names others', async () => {
    expect((await stop(first.name)).stdout).toBe(
      `stopped the instance on ${join(folder, first.name)}/.greenroom (pid ${first.child.pid})\n`,
    );
    const again = await start(moved.name);
    expect(again.url).toBe(moved.url);
    expect(again.lines).toContainEqual(
      expect.stringContaining(`is used instead of ${ports.api} (api.port in supabase/config.toml), see`),
    );
    await stop(moved.name);
    const next = { ...ports, api: await freePort() };
    await writeConfig(moved.name, next);
    const changed = await start(moved.name);
    expect(changed.url).toBe(`http://127.0.0.1:${next.api}`);
    const remembered = await readFile(join(folder, moved.name, '.greenroom/remembered.json'), 'utf8');
    expect(Object.keys(JSON.parse(remembered)).sort()).toEqual([
      'GREENROOM_DB_PORT',
      'GREENROOM_MAILBOX_PORT',
    ]);
    await stop(moved.name);
  });
});

describe('a port of another program', () => {
  it.each(['api', 'database', 'mailbox'] as const)(
    'stops the start with the name of its process: %s',
    async (kind) => {
      const port = await freePort();
      await writeConfig('three', { ...(await freePorts()), [kind]: port });
      const server = createServer((socket) => void socket.destroy());
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const { code, stderr } = await run(startArguments('three'));
      await new Promise((resolve) => server.close(resolve));
      const name = { api: 'api.port', database: 'db.port', mailbox: 'local_smtp.port' }[kind];
      const holder = process.platform === 'linux' ? `node (pid ${process.pid})` : 'another process';
      expect([code, stderr]).toEqual([
        1,
        `error: port ${port} is already in use on 127.0.0.1 by ${holder}. Stop it, or set ${name} in supabase/config.toml to another port.\n`,
      ]);
      expect(await listed()).toEqual([]);
    },
  );
});

describe('greenroom start --detach', () => {
  it('returns when the instance is ready, and greenroom stop ends it', async () => {
    // As in `npx greenroom start --detach`: a server in the foreground ends with npx.
    const env = { npm_lifecycle_event: 'npx' };
    const { code, stdout, stderr } = await run([...startArguments('one'), '--detach'], env);
    expect([code, stderr]).toEqual([0, '']);
    const log = join(folder, 'one/.greenroom/greenroom.log');
    expect(stdout.split('\n')[0]).toBe(`  log         ${log}`);
    const [url = ''] = /(?<=^ready )http:.*$/m.exec(stdout) ?? [];
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`ready ${url}`);
    expect(await statusOf(url)).toBe(200);
    expect(await readFile(log, 'utf8')).toContain(`ready ${url}`);
    expect((await stat(log)).mode & 0o777).toBe(0o600);
    const [instance] = await listed();
    const second = await run([...startArguments('one'), '--detach']);
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining(`is in use by the process ${instance?.pid} at ${url}.`),
    ]);
    expect(await readFile(log, 'utf8')).toContain(`ready ${url}`);

    expect((await stop('one')).stdout).toContain(`(pid ${instance?.pid})`);
    await expect(statusOf(url)).rejects.toThrow('fetch failed');
    expect(await readFile(log, 'utf8')).toContain('\nstopping\n');
    expect(await listed()).toEqual([]);
  });

  it('fails with the error of the start, which the log also has', async () => {
    const database = { DATABASE_URL: 'postgresql://ada@127.0.0.1:1/db', GREENROOM_DB_HEALTH_TIMEOUT: '1ms' };
    const env = { GREENROOM_DB_MEMORY_LIMIT: '0', ...database };
    const { code, stdout, stderr } = await run([...startArguments('one'), '--detach'], env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: DATABASE_URL: cannot connect: .*\n$/);
    const log = await readFile(join(folder, 'one/.greenroom/greenroom.log'), 'utf8');
    expect(log).toContain(stderr);
    expect(stdout).not.toContain('ready');
    const wrong = await run([...startArguments('one'), '--detach'], { PORT: 'eighty' });
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('PORT="eighty" is not allowed')]);
  });

  it.each([
    [['--services', 'data'], 'error: --detach starts whole instances; --services data runs alone.\n'],
    [['--detached'], expect.stringContaining("error: Unknown option '--detached'")],
  ])('rejects %j', async (args, message) => {
    const { code, stderr } = await run(['start', '--detach', ...args]);
    expect([code, stderr]).toEqual([1, message]);
  });
});

describe('greenroom stop', () => {
  it('says that no instance is running', async () => {
    expect(await stop('one')).toEqual({
      code: 0,
      stdout: `no instance is running on ${join(folder, 'one/.greenroom')}\n`,
      stderr: '',
    });
    expect(await run(['stop', '--all'])).toEqual({ code: 0, stdout: 'no instance is running\n', stderr: '' });
  });

  it('stops all instances with --all', async () => {
    await writeConfig('two', await freePorts());
    const started = await Promise.all(['one', 'two'].map((name) => start(name)));
    const { code, stdout } = await run(['stop', '--all']);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').sort()).toEqual(
      ['one', 'two'].map((name, index) => {
        return `stopped the instance on ${join(folder, name)}/.greenroom (pid ${started[index]?.child.pid})`;
      }),
    );
    expect(await listed()).toEqual([]);
  });

  it('stops an instance whose registry cannot be written', async () => {
    const env = { XDG_STATE_HOME: '/dev/null' };
    const started = await run([...startArguments('one'), '--detach'], env);
    expect(started.code).toBe(0);
    expect(started.stdout).toContain('warning: greenroom list cannot show this instance: ');
    expect((await run(['list'], env)).code).toBe(1);
    expect(await run(['stop', '--project', 'one'], env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('stopped the instance on'),
    });
  });

  it('does not stop another command that uses the data folder', async () => {
    const holder = await openDataFolder(join(folder, 'one/.greenroom'));
    const { code, stdout } = await stop('one');
    holder.release();
    expect([code, stdout]).toEqual([0, `no instance is running on ${join(folder, 'one/.greenroom')}\n`]);
  });
});
