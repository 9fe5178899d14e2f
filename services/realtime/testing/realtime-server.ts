/** A test server of realtime with real sockets on a separate database. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConfigSource, loadSettings } from '@greenroom/config';
import { createMetrics, registerApiScope } from '@greenroom/http';
import { createApiKeyReader } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import { type Database, openDatabase } from '@greenroom/postgres';
import {
  type ListeningService,
  listenForService,
  prepareService,
  ServiceServer,
  type TestDatabase,
} from '@greenroom/testing';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Timings } from '../context.ts';
import type { Feed } from '../feed/feed.ts';
import { openRealtime, type RealtimeInstance } from '../instance.ts';
import type { NodeBus } from '../nodes/bus.ts';
import { realtimePlugin, SOCKET_PATH } from '../plugin.ts';
import { realtimeSettings } from '../settings.ts';
import { WireClient } from './wire-client.ts';

const PREFIX = '/realtime/v1';

/** Options of {@link RealtimeServer.open}. */
export interface RealtimeServerOptions {
  settings?: ConfigSource;
  timings?: Partial<Timings>;
  /** SQL that runs as superuser before the service starts. */
  sql?: string;
  log?: Logger;
  requireApiKey?: boolean;
  /** Whether limits per client apply to loopback addresses, each of which counts as a client. */
  limitsLoopback?: boolean;
  /** An existing database, which is not dropped. */
  database?: TestDatabase;
  /** URL of a database in place of the test database. */
  databaseUrl?: string;
  openFeed?: (database: TestDatabase) => Promise<Feed>;
  /** Connects this node to others. The caller closes it. */
  nodes?: NodeBus;
}

export class RealtimeServer extends ServiceServer {
  readonly instance: RealtimeInstance;
  readonly registry: Registry;
  readonly #clients: WireClient[] = [];

  private constructor(parts: ListeningService, instance: RealtimeInstance, registry: Registry) {
    super(PREFIX, parts);
    this.instance = instance;
    this.registry = registry;
  }

  /** Starts a server. */
  static async open(options: RealtimeServerOptions = {}): Promise<RealtimeServer> {
    const { settings = {}, timings = {}, requireApiKey = true, limitsLoopback = false } = options;
    const parts = await prepareService(options);
    const { database, keys, apiKeys, log, closing } = parts;
    const pool: Database = openDatabase({
      url: options.databaseUrl ?? database.realtimeUrl,
      max: 5,
      applicationName: 'test realtime',
      connectionTimeoutMs: 1000,
    });
    closing.defer(() => pool.close());
    const feed = await options.openFeed?.(database);
    if (feed !== undefined) {
      closing.defer(() => waitForSlotRemoval(database));
      closing.defer(() => feed.close());
    }
    const { registry } = createMetrics();
    const instance = openRealtime({
      config: loadSettings(realtimeSettings, settings),
      keys,
      database: pool,
      feed,
      nodes: options.nodes,
      registry,
      log,
      timings: { closeMs: 300, ...timings },
    });
    closing.defer(() => instance.close());
    const readApiKey = createApiKeyReader(apiKeys, keys);
    const register = async (fastify: FastifyInstance) => {
      fastify.upgrades.accept(`${PREFIX}${SOCKET_PATH}`);
      await registerApiScope(fastify, {
        prefix: PREFIX,
        service: realtimePlugin,
        serviceOptions: {
          instance,
          readApiKey,
          keylessToken: requireApiKey ? undefined : apiKeys.anon,
        },
        credentials: { readApiKey, requireApiKey },
        openPaths: [SOCKET_PATH],
      });
    };
    const listening = await listenForService(parts, register, { limitsLoopback });
    return new RealtimeServer(listening, instance, registry);
  }

  socketUrl(query: string): string {
    return `${this.url.replace('http', 'ws')}/websocket?${query}`;
  }

  /** Opens a socket with the anon key by default, optionally from another loopback address. */
  async connect(vsn = '2.0.0', apikey = this.apiKeys.anon, localAddress?: string): Promise<WireClient> {
    const url = this.socketUrl(`apikey=${encodeURIComponent(apikey)}&vsn=${vsn}`);
    const client = new WireClient(url, vsn, localAddress);
    this.#clients.push(client);
    return client.opened();
  }

  /** Opens a socket from a loopback address. */
  connectFrom(localAddress: string, apikey = this.apiKeys.anon): Promise<WireClient> {
    return this.connect('2.0.0', apikey, localAddress);
  }

  /** Returns the value of a metric. */
  async metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const { values } = (await this.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    const fits = (found: Partial<Record<string, string | number>>) =>
      Object.entries(labels).every(([label, value]) => found[label] === value);
    return values.find((value) => fits(value.labels))?.value ?? 0;
  }

  /** Closes sockets that tests have left open. */
  closeClients(): void {
    for (const client of this.#clients.splice(0)) client.close();
  }

  /** Closes the server while clients are connected. */
  shutDown(): Promise<void> {
    return super.close();
  }

  override close(): Promise<void> {
    this.closeClients();
    return super.close();
  }
}

/** Waits for the end of the replication slot, which the server drops late, so that the database can be dropped. */
async function waitForSlotRemoval({ admin }: TestDatabase): Promise<void> {
  const text = 'select from pg_replication_slots where database = current_database()';
  while ((await admin.query({ text })).length > 0) await sleep(5);
}
