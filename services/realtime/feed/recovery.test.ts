/** The feed after crashes of PostgreSQL or losses of a connection, on a separate server. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Database,
  type EmbeddedPostgres,
  ensureRoleLogins,
  migrate,
  openDatabase,
  platformMigrations,
  roleUrl,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { openTestNetwork, type TestNetwork } from '@greenroom/testing';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realtimeService } from '../index.ts';
import type { Feed, FeedStatus } from './feed.ts';
import { openFeed } from './open-feed.ts';
import { SERVICE, subscribeTo, type TestChannel } from './testing/test-feed.ts';

const STATUS_EVERY_MS = 100;
const SECRET = 'a secret of at least thirty-two characters';

let folder: string;
let postgres: EmbeddedPostgres;
let admin: Database;
/** The network between the feed and the server. */
let network: TestNetwork;
let feed: Feed;
let channel: TestChannel;
let statuses: FeedStatus[] = [];
let inserted = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-feed-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
  await migrate(postgres.superuser.url, [platformMigrations, realtimeService.migrations]);
  const roles = ['authenticator', 'supabase_realtime_admin'];
  await ensureRoleLogins(roles, { adminUrl: postgres.superuser.url, secret: SECRET, isNew: true });
  admin = openDatabase({
    url: postgres.superuser.url,
    max: 1,
    applicationName: 'test',
    onIdleError: () => {},
  });
  await admin.query({ text: 'create table notes (id int primary key)' });
  await admin.query({ text: 'alter publication supabase_realtime add table notes' });
  network = await openTestNetwork(postgres.port);
  const replicationUrl = new URL(roleUrl(postgres.superuser.url, 'supabase_realtime_admin', SECRET));
  replicationUrl.port = String(network.port);
  feed = openFeed({
    replicationUrl: replicationUrl.href,
    url: roleUrl(postgres.superuser.url, 'authenticator', SECRET),
    log: { info() {}, warn() {} },
    statusEveryMs: STATUS_EVERY_MS,
  });
  feed.onStatus((status) => statuses.push(status));
  channel = await subscribeTo(feed, [{ table: 'notes' }]);
});
afterAll(async () => {
  channel.close();
  await feed.close();
  network.close();
  await admin.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  statuses = [];
});

/** Inserts a row as soon as the server accepts it, and waits until the channel has received it. */
async function expectDelivered(): Promise<void> {
  inserted += 1;
  const id = inserted;
  const insert = { text: 'insert into notes values ($1)', values: [id] };
  while (
    !(await admin.query(insert).then(
      () => true,
      () => false,
    ))
  )
    await sleep(20);
  const changes = await channel.waitForChanges(channel.deliveries.length + 1);
  expect(changes.at(-1)?.record).toEqual({ id });
}

async function waitForReconnect(): Promise<void> {
  while (statuses.length < 2) await sleep(10);
  expect(statuses.slice(0, 2)).toEqual(['lost', 'streaming']);
}

const terminate = (applicationName: string) =>
  admin.query({
    text: 'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    values: [applicationName],
  });

describe('a subscription', () => {
  it('receives changes', () => expectDelivered());

  it('survives the loss of the replication connection', async () => {
    await terminate('greenroom realtime, replication');
    await waitForReconnect();
    await expectDelivered();
  });

  it('survives a network that silently stops', async () => {
    network.dropData();
    await waitForReconnect();
    await expectDelivered();
  });

  it('survives the loss of the query connections', async () => {
    await terminate('greenroom realtime, feed');
    await expectDelivered();
    expect(statuses).toEqual([]);
  });

  it('survives a crash of the server', async () => {
    process.kill(postgres.pid() ?? 0, 'SIGKILL');
    await waitForReconnect();
    await expectDelivered();
  });

  it('survives the replacement of the publication', async () => {
    await admin.query({ text: 'drop publication supabase_realtime' });
    await terminate('greenroom realtime, replication');
    await waitForReconnect();
    await expect(subscribeTo(feed, [{ table: 'notes' }])).rejects.toMatchObject({ isFinal: true });
    statuses = [];
    await admin.query({ text: 'create publication supabase_realtime for table notes' });
    await waitForReconnect();
    await expectDelivered();
  });

  it('receives changes even if another listener fails', async () => {
    const failing = await feed.subscribe([{ id: 1, params: { table: 'notes' } }], SERVICE, () => {
      throw new Error('of the listener');
    });
    await expectDelivered();
    await expectDelivered();
    expect(statuses).toEqual([]);
    failing.close();
  });

  it('leaves no slot that would retain the log', async () => {
    const slots = await admin.query({ text: 'select temporary from pg_replication_slots' });
    expect(slots).toEqual([{ temporary: true }]);
  });

  it('acknowledges the log while only other tables are written', async () => {
    await admin.query({ text: 'create table others as select n from generate_series(1, 1000) n' });
    const [before] = await admin.query<{ lsn: string }>({ text: 'select pg_current_wal_lsn() as lsn' });
    const isDone = async () => {
      const [row] = await admin.query<{ done: boolean }>({
        text: 'select confirmed_flush_lsn >= $1 as done from pg_replication_slots',
        values: [before?.lsn],
      });
      return row?.done;
    };
    while (!(await isDone())) await sleep(100);
  });
});

describe('without the database', () => {
  it('subscriptions are rejected temporarily', async () => {
    const unreachable = openFeed({
      replicationUrl: 'postgresql://missing:x@127.0.0.1:1/postgres',
      url: 'postgresql://missing:x@127.0.0.1:1/postgres',
      log: { info() {}, warn() {} },
    });
    const refused = subscribeTo(unreachable, [{ table: 'notes' }]);
    await expect(refused).rejects.toMatchObject({ name: 'FeedRefusal', isFinal: false });
    await unreachable.close();
    await expect(unreachable.waitUntilStreaming()).rejects.toThrow('closed');
  });
});

describe('the migration', () => {
  it('is applied by a database owner without superuser rights', async () => {
    await admin.query({
      text: `create role owner login createrole createdb bypassrls replication password 'test'`,
    });
    await admin.query({ text: 'create database owned owner owner' });
    // Roles are global to the server. An owner who had created them could grant them.
    const roles = await admin.query<{ rolname: string }>({
      text: `select rolname from pg_roles where rolname !~ '^pg_' and rolname not in ('postgres', 'owner')`,
    });
    for (const { rolname } of roles) {
      await admin.query({ text: `grant ${rolname} to owner with admin option` });
    }
    const url = new URL(postgres.superuser.url);
    [url.username, url.password, url.pathname] = ['owner', 'test', '/owned'];
    const applied = await migrate(url.href, [platformMigrations, realtimeService.migrations]);
    expect(applied).toContain('realtime/0001_messages');
    const owner = openDatabase({ url: url.href, max: 1, applicationName: 'test' });
    await owner.query({ text: 'create table mine (id int primary key)' });
    await owner.query({ text: 'alter publication supabase_realtime add table mine' });
    await owner.query({ text: 'create policy anybody on realtime.messages for select using (true)' });
    await owner.close();
  });
});
