import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigSource } from '@greenroom/config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from './settings.ts';
import { loadStandaloneConfig } from './standalone-settings.ts';

const DATABASE_URL = 'postgresql://authenticator:secret@db.example:6543/shop';

describe('settings of the standalone data API', () => {
  it('have the defaults of a whole instance', () => {
    const { source: _, listening, ...config } = loadStandaloneConfig({ DATABASE_URL });
    const { source: __, ...complete } = loadConfig({ DATABASE_URL });
    expect(config).toEqual(complete);
    const api = { kind: 'port', host: '127.0.0.1', port: 54_321, isShared: false };
    expect(listening).toEqual({ api, admin: undefined });
  });

  it.each<[source: ConfigSource, settings: object]>([
    [{ PGRST_DB_URI: 'postgres://a@b/c' }, { databaseUrl: 'postgres://a@b/c' }],
    [{ PGRST_DB_URI: 'postgres://a@b/c', DATABASE_URL }, { databaseUrl: DATABASE_URL }],
    [{ PGRST_DB_URI: 'postgres://a@b/c', DATABASE_URL: '' }, { databaseUrl: 'postgres://a@b/c' }],
    [
      { DATABASE_URL, PGRST_SERVER_HOST: '0.0.0.0', PGRST_SERVER_PORT: '3000' },
      { host: '0.0.0.0', port: 3000, localUrl: 'http://127.0.0.1:3000' },
    ],
    [
      { DATABASE_URL, PGRST_SERVER_HOST: '0.0.0.0', PGRST_SERVER_PORT: '3000', HOST: '::1', PORT: '4000' },
      { host: '::1', port: 4000 },
    ],
    [{ PGRST_DB_URI: 'host=h user=u dbname=d' }, { databaseUrl: 'postgresql://u@h/d' }],
    [{ PGHOST: 'h', PGUSER: 'u', PGDATABASE: 'd' }, { databaseUrl: 'postgresql://u@h/d' }],
    [{ PGRST_DB_URI: 'postgres://b/c', PGUSER: 'u' }, { databaseUrl: 'postgresql://u@b/c' }],
    ...Object.entries({ '*': '::', '*4': '0.0.0.0', '!4': '0.0.0.0', '*6': '::', '!6': '::' }).map(
      ([name, host]): [ConfigSource, object] => [{ DATABASE_URL, PGRST_SERVER_HOST: name }, { host }],
    ),
    [
      { DATABASE_URL, PORT: '3000', PGRST_SERVER_REUSEPORT: 'true' },
      { listening: { api: { kind: 'port', host: '127.0.0.1', port: 3000, isShared: true } } },
    ],
    [
      { DATABASE_URL, PGRST_SERVER_UNIX_SOCKET: '/tmp/s', PGRST_ADMIN_SERVER_PORT: '3001' },
      {
        listening: {
          api: { kind: 'socket', path: '/tmp/s', mode: 0o660 },
          admin: { kind: 'port', host: '127.0.0.1', port: 3001 },
        },
      },
    ],
    [
      {
        DATABASE_URL,
        PGRST_ADMIN_SERVER_HOST: '*4',
        PGRST_ADMIN_SERVER_PORT: '3001',
        HOST: '::1',
      },
      { listening: { api: { host: '::1' }, admin: { host: '0.0.0.0', port: 3001 } } },
    ],
    [
      {
        DATABASE_URL,
        PGRST_ADMIN_SERVER_PORT: '3001',
        PGRST_ADMIN_SERVER_UNIX_SOCKET: '/tmp/a',
        PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE: '777',
      },
      { listening: { admin: { kind: 'socket', path: '/tmp/a', mode: 0o777 } } },
    ],
    [{ DATABASE_URL, PGRST_LOG_LEVEL: 'crit' }, { logLevel: 'fatal' }],
    [{ DATABASE_URL, PGRST_LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ DATABASE_URL, PGRST_LOG_LEVEL: 'crit', LOG_LEVEL: 'info' }, { logLevel: 'info' }],
  ])('of %j are %j', (source, settings) => {
    expect(loadStandaloneConfig(source)).toMatchObject(settings);
  });

  it.each([
    [
      {},
      'DATABASE_URL="" is not allowed. Allowed: postgresql://user:password@host:port/database, or @path of a file with it (the data',
    ],
    [
      { PGRST_DB_URI: 'mysql://u:hidden@h/d' },
      'PGRST_DB_URI=(hidden) is not allowed. Allowed: postgresql://',
    ],
    [
      { DATABASE_URL, PGRST_SERVER_HOST: '!5' },
      'PGRST_SERVER_HOST="!5" is not allowed. Allowed: an IP address',
    ],
    [{ PGRST_DB_URI: 'somewhere' }, 'PGRST_DB_URI=(hidden) is not allowed. Allowed: postgresql://'],
    [
      { DATABASE_URL, PGRST_SERVER_UNIX_SOCKET_MODE: '588' },
      'PGRST_SERVER_UNIX_SOCKET_MODE="588" is not allowed. Allowed: three octal digits from 600 to 777',
    ],
    [
      { DATABASE_URL, PORT: '3000', PGRST_ADMIN_SERVER_PORT: '3000' },
      'PGRST_ADMIN_SERVER_PORT="3000" is not allowed. Allowed: a whole number from 1 to 65535; different from PORT',
    ],
    [
      { DATABASE_URL, PGRST_SERVER_PORT: 'x' },
      'PGRST_SERVER_PORT="x" is not allowed. Allowed: a whole number',
    ],
    [
      { DATABASE_URL, PGRST_LOG_LEVEL: 'trace' },
      'PGRST_LOG_LEVEL="trace" is not allowed. Allowed: crit, error',
    ],
    [{ DATABASE_URL, PGRST_DB_POOL: '0' }, 'PGRST_DB_POOL="0" is not allowed'],
  ])('reject %j', (source, message) => {
    expect(() => loadStandaloneConfig(source)).toThrow(message);
  });

  it("by PostgREST's names are ignored in a whole instance", () => {
    const source = { PGRST_DB_URI: DATABASE_URL, PGRST_SERVER_PORT: '3000', PGRST_LOG_LEVEL: 'crit' };
    expect(loadConfig(source)).toMatchObject({ databaseUrl: undefined, port: 54_321, logLevel: 'info' });
  });
});

describe('settings in files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'greenroom-settings-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const written = async (text: string) => {
    const path = join(folder, 'setting');
    await writeFile(path, text);
    return `@${path}`;
  };
  const URL_OF_DATABASE = 'postgresql://a:b@db.example/c';

  it.each(['DATABASE_URL', 'PGRST_DB_URI'])('may contain the URL of a database: %s', async (name) => {
    const source = { [name]: await written(`\n ${URL_OF_DATABASE}\n\n`) };
    const config = loadStandaloneConfig(source);
    expect([config.databaseUrl, config.source]).toEqual([URL_OF_DATABASE, source]);
    expect(loadConfig(source).databaseUrl).toBe(name === 'DATABASE_URL' ? URL_OF_DATABASE : undefined);
  });

  it.each([
    ['PGRST_JWT_SECRET', 'short', 'at least 32 bytes'],
    ['DATABASE_URL', 'mysql://a:b@c/d', 'postgresql://user:password@host:port/database, or @path'],
  ])('are rejected like others, and not shown: %s', async (name, text, allowed) => {
    const load = async () =>
      loadStandaloneConfig({ DATABASE_URL: URL_OF_DATABASE, [name]: await written(text) });
    await expect(load).rejects.toThrow(`${name}=(hidden) is not allowed. Allowed: ${allowed}`);
    await expect(load).rejects.not.toThrow(text);
  });
});
