/** The kinds of logs, for tests that apply to all of them. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedPostgres,
  ensureRoleLogins,
  migrate,
  openDatabase,
  platformMigrations,
  roleUrl,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { openTestNetwork, startTestRedis, type TestNetwork, WITHOUT_REDIS } from '@greenroom/testing';
import { findEmptyCluster } from '@greenroom/testing/empty-cluster';
import { Redis } from 'ioredis';
import { realtimeService } from '../../index.ts';
import type { NodeLog, NodeTimings } from '../log.ts';
import { openPostgresLog } from '../postgres-log.ts';
import { openRedisLog } from '../redis-log.ts';

const SECRET = 'a secret of at least thirty-two characters';

/** A server that keeps a log. */
export interface LogServer {
  /** The network between nodes and server. */
  network: TestNetwork;
  open(node: string, timings: NodeTimings): NodeLog;
  /** Writes entries or notifications that no node would write. */
  writeForeignEntries(node: string): Promise<void>;
  /** Kills the server and starts it again. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** The kinds of logs, each with the reason why it cannot be tested on this machine. */
export const LOG_SERVERS: readonly {
  name: string;
  without: string | undefined;
  start(): Promise<LogServer>;
}[] = [
  { name: 'PostgreSQL', without: undefined, start: startPostgres },
  { name: 'Redis', without: WITHOUT_REDIS, start: startRedis },
];

async function startRedis(): Promise<LogServer> {
  const redis = await startTestRedis();
  const network = await openTestNetwork(redis.port);
  const url = `redis://127.0.0.1:${network.port}/1`;
  return {
    network,
    open: (node, timings) => openRedisLog({ url, prefix: 'test', node, timings, onLost: () => {} }),
    writeForeignEntries: async (node) => {
      const client = new Redis(url);
      const keys = ['bytes', 'x', 'sequence', 'first', 'node', node];
      for (const fields of [['a', 'b'], keys, ['node', 'nobody', 'sequence', '1', 'bytes', 'x']]) {
        await client.xadd('{test}:log', '*', ...fields);
      }
      client.disconnect();
    },
    crash: () => redis.restart(),
    stop: async () => {
      network.close();
      await redis.stop();
    },
  };
}

async function startPostgres(): Promise<LogServer> {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-nodes-'));
  await chmod(folder, 0o711);
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    port: 0,
    portIsFixed: false,
    password: 'test',
    findTemplate: findEmptyCluster,
  });
  await migrate(postgres.superuser.url, [platformMigrations, realtimeService.migrations]);
  await ensureRoleLogins(['supabase_realtime_admin'], {
    adminUrl: postgres.superuser.url,
    secret: SECRET,
    isNew: true,
  });
  const network = await openTestNetwork(postgres.port);
  const url = new URL(roleUrl(postgres.superuser.url, 'supabase_realtime_admin', SECRET));
  url.port = String(network.port);
  return {
    network,
    open: (node, timings) => openPostgresLog({ url: url.href, node, timings, onLost: () => {} }),
    writeForeignEntries: async (node) => {
      const admin = openDatabase({ url: postgres.superuser.url, max: 1, applicationName: 'test' });
      for (const payload of ['', 'nobody', 'nobody 7', `${node} 999999`, `${node} x`]) {
        await admin.query({ text: `select pg_notify('greenroom_nodes', $1)`, values: [payload] });
      }
      await admin.close();
    },
    crash: () => crashPostgres(postgres),
    stop: async () => {
      network.close();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Kills PostgreSQL. The embedded server restarts it, and recovery empties unlogged tables. */
async function crashPostgres(postgres: EmbeddedPostgres): Promise<void> {
  process.kill(postgres.pid() ?? 0, 'SIGKILL');
  await sleep(20);
  const isUp = async () => {
    const admin = openDatabase({
      url: postgres.superuser.url,
      max: 1,
      applicationName: 'test',
      onIdleError: () => {},
    });
    const isUp = await admin.query({ text: 'select 1' }).then(
      () => true,
      () => false,
    );
    await admin.close();
    return isUp;
  };
  while (!(await isUp())) await sleep(20);
}
