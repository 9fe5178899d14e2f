/** Opens realtime: its pool, the feed of database changes, the bus between nodes, and the plugin. */
import type { OpenService, ServiceContext, ServiceDatabase } from '@greenroom/service';
import { Registry } from 'prom-client';
import type { Feed } from './feed/feed.ts';
import { openFeed } from './feed/open-feed.ts';
import { openRealtime } from './instance.ts';
import { openNodes } from './nodes/open-nodes.ts';
import { realtimePlugin, SOCKET_PATH } from './plugin.ts';
import { AUTHENTICATOR_ROLE, REALTIME_ROLE } from './roles.ts';
import type { RealtimeConfig } from './settings.ts';

const PREFIX = '/realtime/v1';
/** Shorter than the ten seconds after which a client gives up a join, so that the client receives the refusal. */
const CONNECTION_TIMEOUT_MS = 4000;
const IDLE_CONNECTIONS = 1;
/** How long the start waits for the replication stream. */
const FEED_TIMEOUT_MS = 5000;
const FEED_SUSPEND_AFTER_MS = 60_000;

/** Opens the service. Rejects without keys, and closes everything that was opened if a later step fails. */
export async function open(context: ServiceContext<RealtimeConfig>): Promise<OpenService> {
  const { config, instance: addresses, keys, log, database } = context;
  if (keys === undefined) throw new Error('realtime requires the keys of the instance');
  await using resources = new AsyncDisposableStack();
  const registry = new Registry();
  const pool = database.open(REALTIME_ROLE, {
    name: 'realtime',
    max: config.databaseConnections,
    min: IDLE_CONNECTIONS,
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  resources.defer(() => pool.close());
  const feed = await openDatabaseFeed(database, log);
  resources.defer(() => feed?.close());
  // Opened last and closed first: a node that has announced itself must respond, and its goodbye needs the rest open.
  const nodes = await openNodes({
    redisUrl: config.redisUrl,
    postgresUrl: database.isShared ? database.urlOf(REALTIME_ROLE) : undefined,
    jwtSecret: keys.jwtSecret,
    log,
  });
  resources.defer(() => nodes?.close());
  const instance = openRealtime({
    config,
    keys: keys.accessTokens,
    database: pool,
    feed,
    nodes,
    registry,
    log,
  });
  resources.defer(() => instance.close());
  const options = {
    instance,
    readApiKey: keys.readApiKey,
    keylessToken: addresses.requireApiKey ? undefined : keys.apiKeys.anon,
  };
  const owned = resources.move();
  return {
    routes: [
      { prefix: PREFIX, plugin: (server) => realtimePlugin(server, options), openPaths: [SOCKET_PATH] },
    ],
    upgrades: [`${PREFIX}${SOCKET_PATH}`],
    health: {
      realtime: () => instance.requireReady(),
      ...(nodes && { nodes: async () => nodes.requireReady() }),
    },
    metrics: registry,
    waitUntilReady: () => waitUntilStreaming(feed, log),
    nodes: () => nodes?.counts().nodes ?? 1,
    close: () => owned.disposeAsync(),
  };
}

type Log = ServiceContext<RealtimeConfig>['log'];

/** Returns undefined unless `wal_level` is `logical`; realtime then works without database changes. */
async function openDatabaseFeed(database: ServiceDatabase, log: Log): Promise<Feed | undefined> {
  const [setting] = (await database.admin?.query<{ wal_level: string }>({ text: 'show wal_level' })) ?? [];
  if (setting?.wal_level !== 'logical') return undefined;
  return openFeed({
    // TCP, because the buffer of a Unix socket holds only about 160 changes, and PostgreSQL waits whenever it is full.
    replicationUrl: database.urlOf(REALTIME_ROLE, 'tcp'),
    url: database.urlOf(AUTHENTICATOR_ROLE),
    log,
    pools: database.pools,
    suspendAfterMs: FEED_SUSPEND_AFTER_MS,
  });
}

async function waitUntilStreaming(feed: Feed | undefined, log: Log): Promise<void> {
  await feed?.waitUntilStreaming(AbortSignal.timeout(FEED_TIMEOUT_MS)).catch(() => {
    log.warn('the replication stream is not open yet; realtime channels receive database changes once it is');
  });
}
