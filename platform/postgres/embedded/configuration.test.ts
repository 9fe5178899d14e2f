import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { defaultSettings } from './configuration.ts';

const GIGABYTE = 1024 ** 3;

describe('defaultSettings', () => {
  it.each([
    [1, '64MB', '64MB'],
    [8, '128MB', '128MB'],
    [24, '128MB', '384MB'],
    [512, '128MB', '512MB'],
  ])(
    'returns for %i GB of memory shared buffers of %s and maintenance memory of %s',
    (gigabytes, shared_buffers, maintenance_work_mem) => {
      expect(defaultSettings(gigabytes * GIGABYTE)).toMatchObject({ shared_buffers, maintenance_work_mem });
    },
  );
});

describe('the configuration file of a user', () => {
  let folder: string;
  let file: string;
  let server: EmbeddedPostgres | undefined;
  /** A folder with an unused cluster: each test begins with a copy, because creating one takes longer than a test. */
  let template: string;

  const newFolder = async () => {
    const path = await mkdtemp(join(tmpdir(), 'greenroom-configuration-'));
    await chmod(path, 0o711);
    return path;
  };

  beforeAll(async () => {
    template = await newFolder();
    const unused = await startEmbeddedPostgres({
      directory: join(template, 'postgres'),
      port: 0,
      portIsFixed: false,
      password: 'test',
      findTemplate: findEmptyCluster,
    });
    await unused.stop();
  });
  afterAll(() => rm(template, { recursive: true, force: true }));

  beforeEach(async () => {
    folder = await newFolder();
    await copyFolder(template, folder);
    file = join(folder, 'postgresql.conf');
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (parameters: Record<string, string> = {}) => {
    server = await startEmbeddedPostgres({
      parameters,
      directory: join(folder, 'postgres'),
      port: 0,
      portIsFixed: false,
      password: 'test',
      userConfiguration: file,
    });
    return server;
  };
  const settings = async (...names: string[]) => {
    const database = openDatabase({ url: server?.superuser.url ?? '', max: 1, applicationName: 'test' });
    const rows = await database.query<{ name: string; setting: string }>({
      text: 'select name, current_setting(name) as setting from unnest($1::text[]) as name',
      values: [names],
    });
    await database.close();
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };

  it('overrides defaults, but not settings that Greenroom depends on', async () => {
    // Closed to other users: the server's user cannot read it if it differs from the user of this process.
    await writeFile(file, "shared_buffers = '80MB'\nwork_mem = 7MB # mine\nwal_level = replica\nport = 1\n", {
      mode: 0o600,
    });
    await start();
    expect(await settings('shared_buffers', 'work_mem', 'wal_level', 'timezone')).toEqual({
      shared_buffers: '80MB',
      work_mem: '7MB',
      wal_level: 'logical',
      timezone: 'UTC',
    });
    await writeFile(file, "work_mem = '9MB'\n");
    await server?.reload();
    await expect.poll(() => settings('work_mem')).toEqual({ work_mem: '9MB' });
  });

  it('overrides parameters of the start, which override defaults', async () => {
    await writeFile(file, "work_mem = '7MB'\n");
    await start({ work_mem: '6MB', shared_buffers: '72MB' });
    expect(await settings('work_mem', 'shared_buffers')).toEqual({ work_mem: '7MB', shared_buffers: '72MB' });
  });

  it('is not needed for an error about a parameter of the start', async () => {
    await expect(start({ work_mem: 'much' })).rejects.toThrow(
      'invalid value for parameter "work_mem": "much"',
    );
  });

  it('does not affect the plans of queries on different machines', async () => {
    const { url } = await start();
    const database = openDatabase({ url, max: 1, applicationName: 'test' });
    const [row] = await database.query<{ 'QUERY PLAN': { Settings: object }[] }>({
      text: 'explain (settings, format json) select 1',
    });
    await database.close();
    expect(row?.['QUERY PLAN'][0]?.Settings).toEqual({ effective_cache_size: '128MB' });
  });

  it('is optional', async () => {
    await start();
    const { shared_buffers } = await settings('shared_buffers');
    expect(shared_buffers).toBe(defaultSettings().shared_buffers);
  });

  it('has memory for as many concurrent reads as a statement issues, and no more', async () => {
    await start();
    const names = ['io_max_concurrency', 'effective_io_concurrency', 'maintenance_io_concurrency'];
    expect(await settings(...names)).toEqual(Object.fromEntries(names.map((name) => [name, '16'])));
  });

  it('has no processes that read for others, unless the file requests them', async () => {
    await start();
    expect(await settings('io_method')).toEqual({ io_method: 'sync' });
    await server?.stop();
    await writeFile(file, "io_method = 'worker'\n");
    await start();
    expect(await settings('io_method')).toEqual({ io_method: 'worker' });
  });

  it('cannot move the files, addresses and sockets of the server', async () => {
    const elsewhere = [
      'data_directory',
      'hba_file',
      'ident_file',
      'external_pid_file',
      'unix_socket_directories',
    ];
    const lines = elsewhere.map((name) => `${name} = '${join(folder, 'elsewhere')}'`);
    await writeFile(file, [...lines, "listen_addresses = '*'", 'port = 1', ''].join('\n'));
    const { directory, port } = await start();
    const values = await settings(...elsewhere, 'listen_addresses', 'port');
    // The server may refer to its folder as its working directory.
    const isCluster = (path = '') => [directory, '/proc/self/cwd'].includes(path);
    const { data_directory = '', unix_socket_directories, ...others } = values;
    expect(isCluster(data_directory)).toBe(true);
    expect(unix_socket_directories).toMatch(/^\.?$/);
    expect(others).toEqual({
      hba_file: join(data_directory, 'pg_hba.conf'),
      ident_file: join(data_directory, 'pg_ident.conf'),
      external_pid_file: join(data_directory, 'greenroom.postmaster.pid'),
      listen_addresses: '127.0.0.1',
      port: String(port),
    });
    await server?.stop();
    server = undefined;
    expect(await readdir(folder)).toEqual(['postgres', 'postgresql.conf']);
    expect((await readdir(directory)).filter((name) => name.endsWith('.pid'))).toEqual([]);
  });

  const errors: [what: string, text: string, line: number, reason: string][] = [
    ['an invalid value', "\n# work_mem\nwork_mem = 'lots'", 3, 'invalid value for parameter "work_mem"'],
    ['a value out of range', 'work_mem = 8MB\nWork_Mem=1kB', 2, '(64 kB .. 2147483647 kB)'],
    ['an unknown setting', '\nwrok_mem = 1MB', 2, 'unrecognized configuration parameter "wrok_mem"'],
    ['a line that is not a setting', '\n\nnonsense here now', 3, 'syntax error, near token "now"'],
  ];

  it.each(errors)('with %s stops the start and is reported with the line', async (_, text, line, reason) => {
    await writeFile(file, `${text}\n`);
    const starting = start();
    await expect(starting).rejects.toThrow(`${file}, line ${line}: `);
    await expect(starting).rejects.toThrow(reason);
  });

  it('is reported for each unknown setting', async () => {
    await writeFile(file, 'wrok_mem = 1MB\nwokr_mem = 1MB\n');
    const starting = start();
    await expect(starting).rejects.toThrow(`${file}, line 1: `);
    await expect(starting).rejects.toThrow(`${file}, line 2: `);
  });

  it('with an error changes nothing on a reload or on a restart of the server', async () => {
    await writeFile(file, 'work_mem = 7MB\n');
    const { directory, pid, reload } = await start();
    const before = await stat(join(directory, 'greenroom.user.conf'));
    for (const [, text, line] of errors) {
      await writeFile(file, `${text}\nmaintenance_work_mem = 77MB\n`);
      await expect(reload()).rejects.toThrow(`${file}, line ${line}: `);
    }
    expect((await stat(join(directory, 'greenroom.user.conf'))).ino).toBe(before.ino);
    const generated = (await readdir(directory)).filter((name) => /^greenroom\..*conf/.test(name));
    expect(generated.toSorted()).toEqual(['greenroom.conf', 'greenroom.user.conf']);
    const killed = pid() ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => (pid() === killed ? undefined : pid())).toBeGreaterThan(0);
    await expect
      .poll(() => settings('work_mem', 'maintenance_work_mem').catch(() => undefined))
      .toEqual({ work_mem: '7MB', maintenance_work_mem: defaultSettings().maintenance_work_mem });
    await writeFile(file, 'work_mem = 8MB\n');
    await reload();
    await expect.poll(() => settings('work_mem')).toEqual({ work_mem: '8MB' });
    // Replaced by a rename, so that a crash leaves no partial file.
    expect((await stat(join(directory, 'greenroom.user.conf'))).ino).not.toBe(before.ino);
  });

  it('that is unreadable stops the start', async () => {
    const unreadable = join(folder, 'postgresql.conf', 'in-a-file');
    await writeFile(file, '');
    file = unreadable;
    await expect(start()).rejects.toThrow(`${unreadable} cannot be read`);
  });
});
