import { chmod, copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyFolder } from '@greenroom/testing/copy-folder';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { createTemplate } from './create-template.ts';

const PASSWORD = 'the password of the instance';
const PASSWORD_FILE = 'greenroom.template-password';
const VAULT_KEY_FILE = 'pgsql_tmp.greenroom-vault-key';

let folder: string;
let template: string;
/** Folder of one test. */
let target: string;
const running: EmbeddedPostgres[] = [];

async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'greenroom-template-'));
  await chmod(path, 0o711);
  return path;
}

beforeAll(async () => {
  folder = await newFolder();
  template = join(folder, 'template');
  await createTemplate(template, async (url) => {
    await queryOne(url, 'create table prepared as select 1 as n');
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  target = await newFolder();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  await rm(target, { recursive: true, force: true });
});

async function start(directory = join(target, 'postgres'), from = template): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    directory,
    port: 0,
    portIsFixed: false,
    password: PASSWORD,
    findTemplate: async () => from,
  });
  running.push(server);
  return server;
}

async function queryOne(url: string, text: string): Promise<Record<string, unknown> | undefined> {
  const database = openDatabase({ url, max: 1, applicationName: 'test' });
  const [row] = await database.query({ text }).finally(() => database.close());
  return row;
}

const identifierOf = async ({ url }: EmbeddedPostgres) =>
  (await queryOne(url, 'select system_identifier::text as id from pg_control_system()'))?.id;

const templatePassword = () => readFile(join(template, PASSWORD_FILE), 'utf8');

function withPassword(url: string, password: string): string {
  const login = new URL(url);
  login.password = password;
  return login.href;
}

describe('a new cluster from a template', () => {
  it('has the tables of the template', async () => {
    const server = await start();
    expect(server.isNew).toBe(true);
    expect(await queryOne(server.superuser.url, 'select n from prepared')).toEqual({ n: 1 });
  });

  it('accepts its own passwords, and not that of the template', async () => {
    const { url, superuser } = await start();
    for (const login of [url, superuser.url]) {
      expect(await queryOne(login, 'select 1 as n')).toEqual({ n: 1 });
      const former = withPassword(login, await templatePassword());
      await expect(queryOne(former, 'select 1')).rejects.toMatchObject({ code: '28P01' });
    }
    await expect(stat(join(target, 'postgres', PASSWORD_FILE))).rejects.toThrow('ENOENT');
  });

  it('has a key of Vault of its own', async () => {
    const keyOf = (cluster: string) => readFile(join(cluster, VAULT_KEY_FILE), 'utf8');
    const clusters = [await start(join(target, 'one')), await start(join(target, 'other'))];
    const keys = await Promise.all(clusters.map(({ directory }) => keyOf(directory)));
    expect(new Set(keys).size).toBe(2);
    await expect(keyOf(template)).rejects.toThrow('ENOENT');
  });

  it('has an identifier of its own, also after a restart', async () => {
    const servers = [await start(join(target, 'one')), await start(join(target, 'other'))];
    const identifiers = await Promise.all(servers.map(identifierOf));
    expect(new Set(identifiers).size).toBe(2);
    await running.shift()?.stop();
    const again = await start(join(target, 'one'));
    expect(again.isNew).toBe(false);
    expect(await identifierOf(again)).toBe(identifiers[0]);
  });

  it('replays its log after a crash of the server', async () => {
    const server = await start();
    await queryOne(server.url, 'create table kept as select 2 as n');
    process.kill(server.pid() ?? 0, 'SIGKILL');
    await expect
      .poll(() => queryOne(server.url, 'select n from kept').catch(() => undefined))
      .toEqual({ n: 2 });
  });

  it('starts after it was killed between the copy and the new password', async () => {
    const directory = join(target, 'postgres');
    await copyFolder(template, directory);
    const { superuser } = await start();
    expect(await queryOne(superuser.url, 'select n from prepared')).toEqual({ n: 1 });
  });

  it('starts after it was killed between the new password and the removal of the old one', async () => {
    const directory = join(target, 'postgres');
    await start();
    await running.shift()?.stop();
    await copyFile(join(template, PASSWORD_FILE), join(directory, PASSWORD_FILE));
    const { superuser } = await start();
    expect(await queryOne(superuser.url, 'select n from prepared')).toEqual({ n: 1 });
    await expect(stat(join(directory, PASSWORD_FILE))).rejects.toThrow('ENOENT');
  });

  it.each(['that is missing', 'whose control file is damaged'])(
    'is created without a template %s',
    async (fault) => {
      const damaged = join(target, 'damaged');
      if (fault !== 'that is missing') {
        await copyFolder(template, damaged);
        await writeFile(join(damaged, 'global', 'pg_control'), Buffer.alloc(8192, 1));
      }
      const { url } = await start(join(target, 'postgres'), damaged);
      expect(await queryOne(url, "select to_regclass('prepared')::text as found")).toEqual({ found: null });
    },
  );
});

it('only the user that PostgreSQL runs as can read the password of a template', async () => {
  const { mode } = await stat(join(template, PASSWORD_FILE));
  expect(mode & 0o777).toBe(0o600);
});
