/**
 * The data API alone, on a database of somebody else's: nothing is made or changed there, and nothing of ours is needed in
 * it. Requests run as the roles of their tokens; the role of the URL only switches to these.
 */
import type { StandaloneConfig } from '@greenroom/config';
import { keyringVerifier, openDataInstance } from '@greenroom/data';
import { openDataFolder, writeInstanceRecord } from '@greenroom/data-folder';
import { createHttpServer, createLogger, createMetrics, type Logger } from '@greenroom/http';
import { type ApiKeyReader, createApiKeyReader, type Keys } from '@greenroom/keys';
import { type Database, openDatabase } from '@greenroom/postgres';
import { createAdminServer } from './admin-server.ts';
import { registerDataScope } from './data-scope.ts';
import { createDrain } from './drain.ts';
import { type HealthChecks, registerHealth } from './health.ts';
import { createInstanceKeyring, loadOrCreateKeys } from './instance-keys.ts';
import { listenAt } from './listen.ts';
import { logLostConnection } from './log-lost-connection.ts';
import { isForThisMachineOnly, registerMetrics } from './metrics-route.ts';
import { DATA_PATH, dataApiAtRoot } from './service-path.ts';
import { VERSION } from './version.ts';

/** A running data API. */
export interface StandaloneDataApi {
  /** http://HOST:PORT, or unix:PATH */
  url: string;
  /** Resolves when the schema has been read, or else, with a database that does not answer, after a while. */
  untilLoaded(): Promise<void>;
  /** Has the schema and the settings read once more. */
  reload(): void;
  /** Stops accepting, finishes what is running, then closes the connections to the database. */
  close(): Promise<void>;
}

/** Starts it; resolves when it listens. Requests are answered with 503 until the schema has been read. */
export async function startStandaloneDataApi(config: StandaloneConfig): Promise<StandaloneDataApi> {
  await using opened = new AsyncDisposableStack();
  const log = createLogger(config.logLevel);
  opened.defer(() => log.flush());
  const own = config.requireApiKey ? await openKeys(config, opened) : undefined;
  const instance = openDataInstance({
    url: config.databaseUrl,
    environment: config.source,
    anonRole: undefined,
    publicUrl: `${config.auth.externalUrl}${DATA_PATH}`,
    verifyOwn: own && keyringVerifier(own.keys),
    log,
  });
  opened.defer(() => instance.close());
  const probe = openProbe(config.databaseUrl, log);
  opened.defer(() => probe.close());

  const metrics = createMetrics();
  const server = createHttpServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    limitsLoopback: config.limitsLoopback,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    rewriteUrl: dataApiAtRoot,
  });
  const drains = [createDrain(server)];
  // At once: whoever holds up the one must not keep the other accepting.
  opened.defer(async () => void (await Promise.all(drains.map((drain) => drain()))));
  const readApiKey = own?.readApiKey ?? (async () => undefined);
  const checks: HealthChecks = {
    database: () => probe.query({ text: 'select 1' }),
    data: () => instance.requireReady(),
  };
  registerHealth(server, checks, { version: VERSION });
  registerMetrics(server, metrics, { readApiKey, requireKey: !isForThisMachineOnly(config) });
  await registerDataScope(server, {
    prefix: DATA_PATH,
    instance,
    credentials: { readApiKey, requireApiKey: config.requireApiKey },
  });
  const { api, admin } = config.listening;
  if (admin !== undefined) {
    const isLive = () => server.server.listening;
    const adminServer = createAdminServer({ log, metrics, isLive, checks });
    drains.push(createDrain(adminServer));
    await listenAt(adminServer, admin);
  }
  await listenAt(server, api);
  await own?.noteWhereWeAre();
  const kept = opened.move();
  return {
    url: api.kind === 'socket' ? `unix:${api.path}` : config.localUrl,
    untilLoaded: () => instance.untilLoaded(),
    reload: () => instance.reload(),
    close: () => kept.disposeAsync(),
  };
}

/** Keys of an instance, from its data folder. */
interface OwnKeys {
  keys: Keys;
  readApiKey: ApiKeyReader;
  /** So that `greenroom status` can tell them. */
  noteWhereWeAre(): Promise<void>;
}

async function openKeys(config: StandaloneConfig, opened: AsyncDisposableStack): Promise<OwnKeys> {
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  const instanceKeys = await loadOrCreateKeys(folder.at('keys.json'), config.jwtSecret);
  const keys = await createInstanceKeyring(config, instanceKeys);
  return {
    keys,
    readApiKey: createApiKeyReader(instanceKeys.apiKeys, keys),
    noteWhereWeAre: () =>
      writeInstanceRecord(folder.path, {
        pid: process.pid,
        startedAt: new Date().toISOString(),
        ready: true,
        apiUrl: config.localUrl,
      }),
  };
}

/** A connection of its own: whether the database is there does not depend on how much there is to do. */
function openProbe(url: string, log: Logger): Database {
  return openDatabase({
    url,
    max: 1,
    applicationName: 'greenroom',
    onIdleError: (error) => logLostConnection(log, 'greenroom', error),
  });
}
