import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { defaultSettings } from './configuration.ts';

const GIGABYTE = 1024 ** 3;

describe('defaultSettings', () => {
  it.each([
    [1, '64MB', '128MB', '64MB', '4MB'],
    [8, '128MB', '1024MB', '128MB', '4MB'],
    [24, '384MB', '3072MB', '384MB', '12MB'],
    [512, '512MB', '16384MB', '512MB', '16MB'],
  ])(
    'of %i GB of memory',
    (gigabytes, shared_buffers, effective_cache_size, maintenance_work_mem, work_mem) => {
      expect(defaultSettings(gigabytes * GIGABYTE)).toMatchObject({
        shared_buffers,
        effective_cache_size,
        maintenance_work_mem,
        work_mem,
      });
    },
  );
});

describe('the configuration file of a user', () => {
  let folder: string;
  let file: string;
  let server: EmbeddedPostgres | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-configuration-'));
    await chmod(folder, 0o711);
    file = join(folder, 'postgresql.conf');
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
    await rm(folder, { recursive: true, force: true });
  });

  const start = async () => {
    server = await startEmbeddedPostgres({
      directory: join(folder, 'postgres'),
      port: 0,
      portIsFixed: false,
      password: 'test',
      userConfiguration: file,
    });
    return server;
  };
  const settings = async (...names: string[]) => {
    const database = openDatabase({ url: server?.url ?? '', max: 1, applicationName: 'test' });
    const rows = await database.query<{ name: string; setting: string }>({
      text: 'select name, current_setting(name) as setting from unnest($1::text[]) as name',
      values: [names],
    });
    await database.close();
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  };

  it('wins over defaults, and loses against settings that Greenroom depends on', async () => {
    // Closed to other users: the server's own user cannot read it where it differs from ours.
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

  it('is not needed', async () => {
    await start();
    const { shared_buffers } = await settings('shared_buffers');
    expect(shared_buffers).toBe(defaultSettings().shared_buffers);
  });

  it.each([
    ['a value that is not allowed', "work_mem = 'lots'", 'invalid value for parameter "work_mem"'],
    ['a setting that does not exist', 'wrok_mem = 1MB', 'unrecognized configuration parameter "wrok_mem"'],
    ['a line that is not a setting', '\n\nnonsense here now', 'line 3'],
  ])('with %s stops the start and is named', async (_, text, reason) => {
    await writeFile(file, `${text}\n`);
    const starting = start();
    await expect(starting).rejects.toThrow(reason);
    await expect(starting).rejects.toThrow(file);
  });

  it('that cannot be read stops the start', async () => {
    const unreadable = join(folder, 'postgresql.conf', 'in-a-file');
    await writeFile(file, '');
    file = unreadable;
    await expect(start()).rejects.toThrow(`${unreadable} cannot be read`);
  });
});
