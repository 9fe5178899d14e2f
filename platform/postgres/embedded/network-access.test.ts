/** Connections by TCP to servers with different rules. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './cluster.ts';
import { acceptsLoopback, type NetworkAccess } from './network-access.ts';

let folder: string;
let running: EmbeddedPostgres | undefined;

/** All tests use one cluster. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-access-'));
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(access: Partial<NetworkAccess>, directory = join(folder, 'postgres')) {
  running = await startEmbeddedPostgres({
    directory,
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
    networkAccess: { tls: 'off', ranges: undefined, ...access },
  });
  return running;
}

const certificate = () => readFile(join(folder, 'postgres', 'greenroom.crt'), 'utf8');

/** Returns whether the connection has TLS, or the error of a rejected one. */
async function connect(url: string, ssl?: { ca: string } | false, replication?: string): Promise<unknown> {
  const plain = new URL(url);
  plain.searchParams.delete('sslmode');
  const options = { connectionString: plain.href, ssl: ssl ?? false, replication };
  const client = new pg.Client(options as pg.ClientConfig);
  try {
    await client.connect();
    if (replication !== undefined) return 'replicates';
    const { rows } = await client.query(
      'select coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as tls',
    );
    return rows[0].tls;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const rejected = (encryption: string) =>
  expect.stringMatching(`pg_hba.conf rejects (?:replication )?connection.*, ${encryption}$`);

it('a server offers TLS with a certificate for its address', async () => {
  const { url } = await start({ tls: 'on' });
  expect(url).not.toContain('sslmode');
  expect([await connect(url), await connect(url, { ca: await certificate() })]).toEqual([false, true]);
});

it('a server that requires TLS rejects connections without it, except through the socket', async () => {
  const { url, localUrl, ownUrl, superuser } = await start({ tls: 'required' });
  expect(new URL(url).searchParams.get('sslmode')).toBe('require');
  expect(ownUrl).toBe(localUrl);
  expect(await connect(url)).toEqual(rejected('no encryption'));
  expect(await connect(superuser.url, false, 'true')).toEqual(rejected('no encryption'));
  expect(await connect(url, { ca: await certificate() })).toBe(true);
  expect([await connect(localUrl), await connect(superuser.ownUrl)]).toEqual([false, false]);
});

it('a server rejects addresses outside of the allowed ranges, except through the socket', async () => {
  const { url, ownUrl, superuser } = await start({ tls: 'on', ranges: ['192.0.2.0/24', '2001:db8::/32'] });
  const tls = { ca: await certificate() };
  expect([await connect(url), await connect(url, tls)]).toEqual([
    rejected('no encryption'),
    rejected('SSL encryption'),
  ]);
  expect(await connect(superuser.url, false, 'true')).toEqual(rejected('no encryption'));
  expect(await connect(ownUrl)).toBe(false);
});

it('a server has a rule for each allowed range, and those of PostgreSQL after them', async () => {
  const { superuser } = await start({ ranges: ['192.0.2.0/24', '2001:db8::/32'] });
  const client = new pg.Client({ connectionString: superuser.ownUrl });
  await client.connect();
  const { rows } = await client.query(`select address, netmask, auth_method, error from pg_hba_file_rules
    where file_name like '%greenroom.hba.conf' order by rule_number`);
  await client.end();
  expect(rows).toEqual([
    { address: '192.0.2.0', netmask: '255.255.255.0', auth_method: 'scram-sha-256', error: null },
    { address: '2001:db8::', netmask: 'ffff:ffff::', auth_method: 'scram-sha-256', error: null },
    { address: 'all', netmask: null, auth_method: 'reject', error: null },
  ]);
});

it('a server accepts addresses inside of the allowed ranges', async () => {
  const { url, ownUrl } = await start({ ranges: ['127.0.0.0/8'] });
  expect(ownUrl).toBe(url);
  expect(await connect(url)).toBe(false);
});

it('a server keeps its certificate, and replaces one without its key', async () => {
  await (await start({ tls: 'on' })).stop();
  const first = await certificate();
  await (await start({ tls: 'on' })).stop();
  expect(await certificate()).toBe(first);
  await writeFile(join(folder, 'postgres', 'greenroom.key'), '');
  const { url } = await start({ tls: 'on' });
  expect(await certificate()).not.toBe(first);
  expect(await connect(url, { ca: await certificate() })).toBe(true);
});

it('a server whose folder cannot contain a socket does not start with rules that reject Greenroom', async () => {
  const deep = join(folder, 'x'.repeat(110));
  await mkdir(deep);
  await chmod(deep, 0o711);
  const directory = join(deep, 'postgres');
  for (const access of [{ tls: 'required' as const }, { ranges: [] }]) {
    await expect(start(access, directory)).rejects.toThrow(
      `${directory} cannot contain a Unix socket, which Greenroom needs`,
    );
  }
  const { url } = await start({ tls: 'on', ranges: ['127.0.0.1/32'] }, directory);
  expect(await connect(url)).toBe(false);
});

describe('acceptsLoopback', () => {
  it.each<[string[] | undefined, boolean]>([
    [undefined, true],
    [[], false],
    [['0.0.0.0/0'], true],
    [['127.0.0.1/32'], true],
    [['126.0.0.0/7'], true],
    [['127.0.0.2/32', '::/0'], false],
    [['192.0.2.0/24', '127.0.0.0/8'], true],
  ])('returns for %j %s', (ranges, expected) => {
    expect(acceptsLoopback({ ranges })).toBe(expected);
  });
});
