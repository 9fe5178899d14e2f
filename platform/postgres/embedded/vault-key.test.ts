import type { EventEmitter } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { chooseRunAs } from './run-as.ts';

const KEY = 'ab'.repeat(32);
const FILE = 'pgsql_tmp.greenroom-vault-key';
const READ = 'select name, decrypted_secret as value from vault.decrypted_secrets';

let folder: string;
let server: EmbeddedPostgres | undefined;
const log: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-vault-key-'));
  await chmod(folder, 0o711);
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function restart(vaultKey?: string): Promise<EmbeddedPostgres> {
  await server?.stop();
  server = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    onLog: (line) => log.push(line),
    ...(vaultKey !== undefined && { vaultKey }),
  });
  return server;
}

const keyPath = () => join(folder, 'postgres', FILE);

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).then(
    async ({ rows }) => {
      await client.end();
      return rows;
    },
    async (error: unknown) => {
      await client.end();
      throw error;
    },
  );
}

/** Returns all bytes that PostgreSQL sends for a base backup. */
async function baseBackup(url: string): Promise<Buffer> {
  const client = new pg.Client({ connectionString: url, replication: 'true' } as pg.ClientConfig);
  await client.connect();
  const chunks: Buffer[] = [];
  const { connection } = client as unknown as { connection: EventEmitter };
  connection.on('copyData', ({ chunk }: { chunk: Buffer }) => chunks.push(Buffer.from(chunk)));
  try {
    await client.query(`BASE_BACKUP (CHECKPOINT 'fast')`);
  } finally {
    await client.end();
  }
  return Buffer.concat(chunks);
}

it('decrypts after a restart with the same key, or without one, and not with another key', async () => {
  const { superuser, url } = await restart(KEY);
  await query(superuser.url, 'create extension supabase_vault');
  await query(url, `select vault.create_secret('value', 'name')`);
  expect(await query((await restart(KEY)).url, READ)).toEqual([{ name: 'name', value: 'value' }]);
  expect(await query((await restart()).url, READ)).toEqual([{ name: 'name', value: 'value' }]);
  await expect(query((await restart('cd'.repeat(32))).url, READ)).rejects.toMatchObject({
    message: 'the secret was encrypted with another key than that of Vault',
    hint: expect.stringContaining('Restore it from the same backup'),
  });
  expect(await query((await restart(KEY)).url, READ)).toEqual([{ name: 'name', value: 'value' }]);
});

it('only the user of PostgreSQL can read the file', async () => {
  const { mode, uid } = await stat(keyPath());
  expect(mode & 0o777).toBe(0o600);
  expect(uid).toBe((await chooseRunAs())?.uid ?? process.getuid?.());
  expect(await readFile(keyPath(), 'utf8')).toBe(KEY);
});

it('values of secrets are not written to the log, even if a statement with one fails', async () => {
  const { url, superuser } = server as EmbeddedPostgres;
  for (const login of [url, superuser.url]) {
    await expect(query(login, `select vault.create_secret('s3cret', 'name')`)).rejects.toMatchObject({
      code: '23505',
    });
  }
  await query(superuser.url, `do $$ begin raise warning 'end of the log'; end $$`);
  await expect.poll(() => log.join('\n')).toContain('end of the log');
  expect(log.join('\n')).not.toContain('s3cret');
});

it('is not part of a base backup, which postgres may request', async () => {
  const { url } = server as EmbeddedPostgres;
  const backup = await baseBackup(url);
  // In the header of a file, its name ends with a zero byte.
  expect(backup.includes('greenroom.roles\0')).toBe(true);
  expect(backup.includes(`${FILE}\0`)).toBe(false);
  expect(backup.includes(KEY)).toBe(false);
});

it.each([
  ['missing', () => rm(keyPath())],
  ['not valid', () => writeFile(keyPath(), 'text')],
])('reports a key that is %s, and mends it at the next start', async (state, damage) => {
  await damage();
  const { url } = server as EmbeddedPostgres;
  const problem = {
    message: `the key of Vault is ${state}`,
    hint: 'Restart Greenroom, which writes it from keys.json of the data folder.',
  };
  await expect(query(url, READ)).rejects.toMatchObject(problem);
  await expect(query(url, `select vault.create_secret('other')`)).rejects.toMatchObject(problem);
  expect(await query((await restart(KEY)).url, READ)).toEqual([{ name: 'name', value: 'value' }]);
});
