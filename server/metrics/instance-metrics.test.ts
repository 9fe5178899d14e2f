import { tmpdir } from 'node:os';
import { createPoolList } from '@greenroom/postgres';
import { expect, it } from 'vitest';
import { createInstanceMetrics } from './instance-metrics.ts';

type Respond = (text: string) => Promise<Record<string, unknown>[]>;

/** Creates metrics whose database responds with rows by the text of the statement. */
function metricsOf(respond: Respond) {
  const statements: string[] = [];
  const query = async ({ text }: { text: string }) => {
    statements.push(text);
    return (await respond(text)) as never;
  };
  const pools = createPoolList();
  const sources = { version: '1.2.3', pools, database: { query }, hasOutbox: true, folder: tmpdir() };
  return { pools, statements, registry: createInstanceMetrics(sources) };
}

const up: Respond = async (text) => {
  if (text.includes('server_version')) return [{ version: '18.4 (Debian 18.4-1)' }];
  if (text.includes('pg_ls_waldir')) return [{ bytes: 33_554_432 }];
  return [{ channel: 'mail', queued: 3, oldest_seconds: 90.5 }];
};

it('reports versions, write-ahead log, disk and outbox, and reads them once for scrapes in quick succession', async () => {
  const { registry, statements } = metricsOf(up);
  const text = await registry.metrics();
  const node = process.versions.node;
  expect(text).toContain(`greenroom_build_info{version="1.2.3",node="${node}",postgres="18.4"} 1\n`);
  expect(text).toContain('greenroom_postgres_up 1\n');
  expect(text).toContain('greenroom_postgres_wal_bytes 33554432\n');
  expect(text).toContain('greenroom_messages_queued{channel="mail"} 3\n');
  expect(text).toContain('greenroom_messages_queued{channel="sms"} 0\n');
  expect(text).toContain('greenroom_messages_oldest_seconds{channel="mail"} 90.5\n');
  const bytesOf = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  const available = bytesOf('greenroom_disk_available_bytes');
  expect(available).toBeGreaterThan(0);
  expect(bytesOf('greenroom_disk_size_bytes')).toBeGreaterThanOrEqual(available);
  await registry.metrics();
  expect(statements.length).toBe(3);
});

it('reports a database that does not respond as down, without sizes', async () => {
  const { registry } = metricsOf(() => Promise.reject(new Error('connection refused')));
  const text = await registry.metrics();
  expect(text).toContain('greenroom_postgres_up 0\n');
  expect(text).toContain('postgres=""} 1\n');
  expect(text).not.toMatch(/^greenroom_(postgres_wal_bytes|messages_queued)/m);
});

it('adds up the pools of one name, and forgets a pool that was closed', async () => {
  const { registry, pools } = metricsOf(up);
  const usage = { name: 'data', max: 10, open: 4, used: 3, waiting: 2 };
  pools.add(() => usage);
  const remove = pools.add(() => usage);
  expect(await registry.metrics()).toContain('greenroom_pool_connections_used{pool="data"} 6\n');
  remove();
  const text = await registry.metrics();
  expect(text).toContain('greenroom_pool_connections_max{pool="data"} 10\n');
  expect(text).toContain('greenroom_pool_connections_open{pool="data"} 4\n');
  expect(text).toContain('greenroom_pool_waiting{pool="data"} 2\n');
});
