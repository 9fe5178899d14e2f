import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { type EmbeddedOptions, type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { chooseRunAs, SYSTEM_STATE_DIRECTORY } from './run-as.ts';

const PASSWORD = "a 'password' with %2F/signs";
let folder: string;
let running: EmbeddedPostgres | undefined;
/** An unused cluster: most tests begin with a copy of it, because creating one takes longer than the rest. */
let unused: string;

async function newFolder(below = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(below, 'greenroom-cluster-'));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  unused = join(await newFolder(), 'postgres');
  const writer = await startEmbeddedPostgres({
    directory: unused,
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    findTemplate: findEmptyCluster,
  });
  await writer.stop();
});
afterAll(() => rm(dirname(unused), { recursive: true, force: true }));

beforeEach(async () => {
  folder = await newFolder();
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  running = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    ...options,
  });
  return running;
}

/** Starts on an existing cluster. */
async function startAgain(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  await copyFolder(unused, options.directory ?? join(folder, 'postgres'));
  return start(options);
}

async function queryOne(url: string, text: string): Promise<Record<string, unknown> | undefined> {
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  const [row] = await database.query({ text }).finally(() => database.close());
  return row;
}

/** Repeats the statement until it succeeds. */
async function eventually(url: string, text: string): Promise<Record<string, unknown> | undefined> {
  for (;;) {
    const row = await queryOne(url, text).catch(() => undefined);
    if (row) return row;
    await sleep(50);
  }
}

/** Starts a server on an existing cluster in another process, which then runs `afterwards`. */
async function startInAnotherProcess(afterwards: string) {
  await copyFolder(unused, join(folder, 'postgres'));
  const options = { directory: join(folder, 'postgres'), port: 0, portIsFixed: false, password: PASSWORD };
  const source = `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./cluster.ts', import.meta.url).href)};
    const { url, pid } = await startEmbeddedPostgres(${JSON.stringify(options)});
    console.log(JSON.stringify({ url, pid: pid() })); ${afterwards}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await once(child.stdout, 'data');
  const server = JSON.parse(String(output)) as { url: string; pid: number };
  return { ...server, process: child };
}

/** Starts a server in another process, runs a statement on it and kills that process; returns the server's pid. */
async function startAndKillInAnotherProcess(statement: string): Promise<number> {
  const server = await startInAnotherProcess('setInterval(() => {}, 1000);');
  await queryOne(server.url, statement);
  server.process.kill('SIGKILL');
  await once(server.process, 'exit');
  return server.pid;
}

/** Returns names and contents of the lock files of a running server. */
async function readLockFiles(): Promise<[name: string, content: string][]> {
  const names = (await readdir(join(folder, 'postgres'))).filter((name) =>
    /^postmaster\.pid$|^\.s\.PGSQL.*\.lock$/.test(name),
  );
  return Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, 'postgres', name), 'utf8')] as const),
  ) as Promise<[string, string][]>;
}

/** Returns pids of processes that work in a folder, or did before it was removed; of one program, or all. */
async function processesIn(directory: string, program = ''): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const workingDirectory = await readlink(`/proc/${pid}/cwd`).catch(() => '');
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      return workingDirectory.startsWith(directory) && name.startsWith(program);
    }),
  );
  return pids.filter((_, index) => found[index]);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('startEmbeddedPostgres', () => {
  it('initialises once, keeps its data over restarts, and listens only on the loopback', async () => {
    const progress: string[] = [];
    const first = await start({ onProgress: (line) => progress.push(line) });
    await queryOne(first.url, 'create table kept as select 42 as n');
    const settings = await queryOne(
      first.superuser.url,
      `select current_setting('listen_addresses') as host, current_setting('wal_level') as wal,
        current_setting('data_checksums') as checksums, current_setting('server_version') as version,
        (select count(*)::int from pg_hba_file_rules where auth_method <> 'scram-sha-256') as weak_rules`,
    );
    expect(settings).toMatchObject({ host: '127.0.0.1', wal: 'logical', checksums: 'on', weak_rules: 0 });
    expect(settings?.version).toMatch(/^18\./);
    await first.stop();

    const second = await start({ onProgress: (line) => progress.push(line) });
    expect(await queryOne(second.url, 'select n from kept')).toEqual({ n: 42 });
    expect(progress).toEqual(['initialising the database (PostgreSQL 18)']);
  });

  it('has a socket for this process, in a folder that other users cannot open', async () => {
    const { localUrl, port } = await startAgain();
    const [address] = Object.values((await queryOne(localUrl, 'select inet_client_addr()')) ?? {});
    expect(address).toBeNull();
    const { mode } = await stat(join(folder, 'postgres', `.s.PGSQL.${port}`));
    expect(mode & 0o077).toBe(0);
    await expect(queryOne(localUrl.replace(encodeURIComponent(PASSWORD), 'wrong'), 'select')).rejects.toThrow(
      'password',
    );
  });

  it('omits the socket if the path of its folder is too long', async () => {
    const directory = join(folder, 'x'.repeat(100));
    const { url, localUrl } = await startAgain({ directory });
    expect(localUrl).toBe(url);
    expect(await queryOne(url, 'select 1 as n')).toEqual({ n: 1 });
  });

  it('does not run as root', async () => {
    const { pid } = await startAgain();
    const status = await readFile(`/proc/${pid()}/status`, 'utf8').catch(() => 'Uid:\t1000');
    expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).not.toBe('0');
  });

  it.runIf(process.platform === 'linux')(
    'rejects a statement that needs too much memory, and no other',
    async () => {
      const { url } = await startAgain({ memoryLimitMb: 128 });
      const database = openDatabase({ url, max: 1, applicationName: 'test' });
      const pid = () => database.query({ text: 'select pg_backend_pid() as pid' });
      const before = await pid();
      await expect(database.query({ text: `select length(repeat('x', 200000000))` })).rejects.toMatchObject({
        code: '53200',
      });
      expect(await pid()).toEqual(before);
      await database.close();
    },
  );

  it('rejects a wrong password', async () => {
    const { url } = await startAgain();
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(queryOne(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('uses the next free port, or reports that the fixed one is taken', async () => {
    const occupied = createServer();
    const port = await new Promise<number>((resolve) => {
      occupied.listen(0, '127.0.0.1', () => resolve((occupied.address() as { port: number }).port));
    });
    await expect(startAgain({ port, portIsFixed: true })).rejects.toThrow(`port ${port} is already in use`);
    expect((await start({ port })).port).toBeGreaterThan(port);
    occupied.close();
  });

  it('stops a server that a killed process left running, and recovers its commits', async () => {
    const left = await startAndKillInAnotherProcess('create table committed as select 1 as n');
    const progress: string[] = [];
    const second = await start({ onProgress: (line) => progress.push(line) });
    expect(progress).toEqual([`stopped a PostgreSQL process left over from an earlier run (pid ${left})`]);
    expect(await queryOne(second.url, 'select n from committed')).toEqual({ n: 1 });
  });

  it('does not touch another process with the pid of a stale postmaster', async () => {
    const first = await startAgain();
    await first.stop();
    const bystander = spawn('sleep', ['60']);
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), `${bystander.pid}\n${folder}/postgres\n`);
    await start();
    expect(bystander.exitCode).toBeNull();
    bystander.kill();
  });

  it.each([
    ['an unrelated process of the same user', 'exec sleep 60'],
    // The shell starts a child and then replaces itself with a program that never waits for its children.
    ['a zombie', 'sleep 0 & echo $!; exec sleep 60'],
  ])('starts although the pid of the last postmaster belongs to %s', async (_, script) => {
    const first = await startAgain({ port: 0 });
    await queryOne(first.url, 'create table kept as select 1 as n');
    const lockFiles = await readLockFiles();
    expect(lockFiles).toHaveLength(2);
    await first.stop();
    const user = await chooseRunAs();
    const holder = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'], ...user });
    const pid = script.includes('echo') ? String(await once(holder.stdout, 'data')).trim() : holder.pid;
    for (const [name, content] of lockFiles) {
      await writeFile(join(folder, 'postgres', name), content.replace(/^\d+/, String(pid)));
    }
    const second = await start({ port: first.port, portIsFixed: true });
    expect(await queryOne(second.url, 'select n from kept')).toEqual({ n: 1 });
    expect(holder.exitCode).toBeNull();
    holder.kill();
  });

  it('starts although a busy backend has outlived its killed postmaster', async () => {
    const server = await startInAnotherProcess('setInterval(() => {}, 1000);');
    const busy = queryOne(server.url, 'do $$ begin loop end loop; end $$').catch(() => undefined);
    const running = `select 1 as one from pg_stat_activity where state = 'active' and query like 'do %'`;
    await eventually(server.url, running);
    server.process.kill('SIGKILL');
    process.kill(server.pid, 'SIGKILL');
    await once(server.process, 'exit');
    const { url } = await start();
    expect(await queryOne(url, 'select 1 as one')).toEqual({ one: 1 });
    await busy;
  });

  it('restarts a server that dies', async () => {
    const lines: string[] = [];
    const { url, pid } = await startAgain({ onLog: (line) => lines.push(line) });
    await queryOne(url, 'create table survived as select 1 as n');
    process.kill(pid() ?? 0, 'SIGKILL');
    expect(await eventually(url, 'select n from survived')).toEqual({ n: 1 });
    expect(lines.some((line) => line.includes('exited unexpectedly (SIGKILL)'))).toBe(true);
  });

  it('reports the version of a cluster that it cannot run', async () => {
    await mkdir(join(folder, 'postgres'));
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '14\n');
    await expect(start()).rejects.toThrow(
      'was created by PostgreSQL 14; this release requires PostgreSQL 18',
    );
  });

  it('repeats an initialisation that was interrupted', async () => {
    await mkdir(join(folder, 'postgres'));
    await mkdir(join(folder, 'postgres.initialising', 'base'), { recursive: true });
    const { url } = await start();
    expect(await queryOne(url, 'select 1 as one')).toEqual({ one: 1 });
    expect(await readdir(folder)).toEqual(['postgres']);
  });

  it.runIf(process.platform === 'linux')(
    'stops an initialisation that a killed process left running, and repeats it',
    async () => {
      const options = {
        directory: join(folder, 'postgres'),
        port: 0,
        portIsFixed: false,
        password: PASSWORD,
      };
      const source = `import { startEmbeddedPostgres } from ${JSON.stringify(new URL('./cluster.ts', import.meta.url).href)};
      await startEmbeddedPostgres(${JSON.stringify(options)});`;
      const killed = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' });
      while (!existsSync(join(folder, 'postgres.initialising', 'base', '1', 'pg_filenode.map')))
        await sleep(1);
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      const [initdb = 0] = await processesIn(join(folder, 'postgres.initialising'), 'initdb');
      // It would write into the folder of the next initialisation when it continues.
      process.kill(initdb, 'SIGSTOP');
      const { url } = await start();
      expect(await queryOne(url, 'select 1 as one')).toEqual({ one: 1 });
      await expect.poll(() => processesIn(join(folder, 'postgres.initialising'))).toEqual([]);
      expect(await readdir(folder)).toEqual(['postgres']);
    },
  );

  it.each([
    ['is empty', ''],
    ['has no pid', '\n\n'],
  ])('starts although a postmaster was killed while it wrote a lock file that %s', async (_, content) => {
    const first = await startAgain();
    await first.stop();
    await writeFile(join(folder, 'postgres', 'postmaster.pid'), content);
    const { url } = await start();
    expect(await queryOne(url, 'select 1 as one')).toEqual({ one: 1 });
  });

  it.each([
    ['is not empty and not a cluster', 'base', 'is not empty and contains no database cluster'],
    ['has an unreadable version', 'PG_VERSION', 'cannot be read'],
  ])('changes nothing in a folder that %s', async (_, name, message) => {
    const file = join(folder, 'postgres', name, 'kept');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, 'of somebody else');
    const before = await stat(join(folder, 'postgres'));
    await expect(start()).rejects.toThrow(message);
    expect(await readFile(file, 'utf8')).toBe('of somebody else');
    const { uid, mode } = await stat(join(folder, 'postgres'));
    expect([uid, mode]).toEqual([before.uid, before.mode]);
  });

  it('ends with its process, even without a shutdown', async () => {
    const server = await startInAnotherProcess('setTimeout(() => process.exit(3), 100);');
    const [code] = await once(server.process, 'exit');
    expect(code).toBe(3);
    while (isAlive(server.pid)) await sleep(20);
  });
});

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('a cluster of a root process', () => {
  const path = () => join(folder, 'postgres');
  const keep = 'create table kept as select 1 as n';
  const readTable = ({ url }: EmbeddedPostgres) => queryOne(url, 'select n from kept');

  /** Restores the layout of earlier versions: the cluster in the system folder, and a link to it. */
  async function moveToSystemFolder(): Promise<string> {
    const systemDirectory = join(SYSTEM_STATE_DIRECTORY, `cluster-test-${process.pid}`);
    await mkdir(SYSTEM_STATE_DIRECTORY, { recursive: true, mode: 0o755 });
    await rm(join(path(), 'greenroom.owner'), { force: true });
    await rename(path(), systemDirectory);
    await symlink(systemDirectory, path());
    return systemDirectory;
  }

  it('is stored inside a data folder that its user cannot open', async () => {
    await chmod(folder, 0o700);
    const first = await startAgain();
    await queryOne(first.url, keep);
    await first.stop();
    const second = await start();
    expect(await readTable(second)).toEqual({ n: 1 });
    expect(second.directory).toBe(path());
    expect((await lstat(path())).isDirectory()).toBe(true);
  });

  it.each([
    ['is moved back into the data folder', () => undefined],
    ['is moved back after a crash in the middle', () => rename(path(), `${path()}.moving`)],
  ])('of an earlier version outside of the data folder %s', async (_, crash) => {
    // On the file system of the system folder: a cluster on another one is not moved.
    await rm(folder, { recursive: true });
    folder = await newFolder('/var/tmp');
    await chmod(folder, 0o700);
    const first = await startAgain();
    await queryOne(first.url, keep);
    await first.stop();
    const systemDirectory = await moveToSystemFolder();
    await crash();
    const second = await start();
    expect(await readTable(second)).toEqual({ n: 1 });
    expect((await lstat(path())).isDirectory()).toBe(true);
    await expect(lstat(systemDirectory)).rejects.toThrow('ENOENT');
  });

  it('is not used by a copy of the data folder', async () => {
    const original = await startAgain();
    await queryOne(original.url, keep);
    const copy = await newFolder();
    await symlink(path(), join(copy, 'postgres'));
    const options = { port: 0, portIsFixed: false, password: PASSWORD };
    await expect(startEmbeddedPostgres({ ...options, directory: join(copy, 'postgres') })).rejects.toThrow(
      `belongs to the data folder ${folder}`,
    );
    expect(await readTable(original)).toEqual({ n: 1 });
    await rm(copy, { recursive: true });
  });

  it('is reported if a link points to it and it does not exist', async () => {
    await symlink(join(SYSTEM_STATE_DIRECTORY, 'cluster-gone'), path());
    await expect(start()).rejects.toThrow(/cluster-gone, which does not exist.*cp -rL/);
  });
});

it('a cluster is used by one server at a time, through any path of its folder', async () => {
  await startAgain();
  const options = { port: 0, portIsFixed: false, password: PASSWORD };
  await expect(startEmbeddedPostgres({ ...options, directory: join(folder, 'postgres') })).rejects.toThrow(
    `is in use by ${folder}`,
  );
});

describe('several servers that start at the same time', () => {
  it('get a port each, although all prefer the same', async () => {
    const port = 54_900;
    const folders = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const directory = join(folder, `postgres-${number}`);
        await copyFolder(unused, directory);
        return directory;
      }),
    );
    const servers = await Promise.all(
      folders.map((directory) =>
        startEmbeddedPostgres({ directory, port, portIsFixed: false, password: PASSWORD }),
      ),
    );
    const ports = servers.map((server) => server.port);
    await Promise.all(servers.map((server) => server.stop()));
    expect(new Set(ports).size).toBe(3);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(port);
  });
});
