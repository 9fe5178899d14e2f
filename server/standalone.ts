/**
 * Runs the data API, or storage, alone on a foreign database: nothing is created or changed in it, and requests run as
 * the roles of their tokens; the role of the URL only switches to these.
 */
import { type DataFolder, openDataFolder } from '@greenroom/data-folder';
import { createHttpServer, createMetrics } from '@greenroom/http';
import { type Logger, openLog } from '@greenroom/log';
import { createPoolList, type ListenConnection, type PoolList } from '@greenroom/postgres';
import type { ServiceContext, ServiceKeys } from '@greenroom/service';
import type { FastifyInstance } from 'fastify';
import { createAdminServer } from './admin-server.ts';
import { openListening, openPool, serviceKeys } from './backend.ts';
import { createDrain } from './drain.ts';
import { type HealthChecks, registerHealth } from './health.ts';
import { loadOrCreateKeys } from './instance-keys.ts';
import { listenAt } from './listen.ts';
import { createInstanceMetrics } from './metrics/instance-metrics.ts';
import { isLoopbackOnly, registerMetrics } from './metrics-route.ts';
import { type OwnCertificate, openOwnCertificate } from './own-certificate.ts';
import { recordInstance } from './record-instance.ts';
import { openServices, registerService } from './service-host.ts';
import { dataApiAtRoot } from './service-path.ts';
import { servicesNamed } from './services.ts';
import type { StandaloneConfig } from './standalone-settings.ts';
import { VERSION } from './version.ts';

/** A service that can run alone. */
type StandaloneName = 'data' | 'storage';

/** A running service. */
export interface Standalone {
  /** http://HOST:PORT, https://HOST:PORT, or unix:PATH */
  url: string;
  /** Resolves when the schema has been loaded, or after a while if the database does not respond. */
  waitUntilReady(): Promise<void>;
  /** Reloads the schema, the settings of the database and the certificate. */
  reload(): void;
  /** Stops accepting, finishes running requests, then closes the connections to the database. */
  close(): Promise<void>;
}

/**
 * Starts a service; resolves when it listens. The data API responds with 503 until the schema has been loaded. Rejects
 * if the login role of storage does not own its tables.
 */
export async function startStandalone(name: StandaloneName, config: StandaloneConfig): Promise<Standalone> {
  await using opened = new AsyncDisposableStack();
  const log = openLog(config);
  opened.defer(() => log.flush());
  // The data API has its own keys only if it requires API keys; storage always keeps content in the data folder.
  const hasDataFolder = name === 'storage' || config.requireApiKey;
  const { api, admin } = config.listening;
  const certificate = api.kind === 'port' ? await openOwnCertificate(config, { hasDataFolder }) : undefined;
  const local = hasDataFolder ? await openLocalState(config, opened, log) : undefined;
  const pools = createPoolList();
  const listening = openListening(config.databaseUrl, log);
  opened.defer(() => listening.close());
  const context = contextOf({ config, local, listening, pools, log });
  const host = await openServices(servicesNamed([name]), config, context);
  opened.defer(() => host.close());
  const health: HealthChecks = Object.assign({}, ...host.services.map((service) => service.health));
  // A separate connection, so that the health check does not depend on the load of the service.
  const probe = openPool(config.databaseUrl, { max: 1, applicationName: 'greenroom' }, log);
  opened.defer(() => probe.close());
  const checks: HealthChecks =
    name === 'data' ? { database: () => probe.query({ text: 'select 1' }), ...health } : health;

  const metrics = createMetrics();
  const server = createHttpServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    limitsLoopback: config.limitsLoopback,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
    tls: certificate?.current(),
    ...(name === 'data' && { rewriteUrl: dataApiAtRoot }),
  });
  const drains = [createDrain(server)];
  // In parallel, so that a slow request on one server does not keep the other one accepting.
  opened.defer(async () => void (await Promise.all(drains.map((drain) => drain()))));
  const readApiKey = local?.keys.readApiKey ?? (async () => undefined);
  const ofInstance = createInstanceMetrics({
    version: VERSION,
    pools,
    database: probe,
    hasOutbox: false,
    folder: local?.folder.path,
  });
  const registries = [
    metrics.registry,
    ofInstance,
    ...host.services.flatMap(({ metrics: registry }) => registry ?? []),
  ];
  registerHealth(server, checks, { version: VERSION });
  registerMetrics(server, registries, { readApiKey, requireKey: !isLoopbackOnly(config) });
  for (const service of host.services) {
    await registerService(server, service, { readApiKey, requireApiKey: config.requireApiKey });
  }
  if (admin !== undefined) {
    const isLive = () => server.server.listening;
    const adminServer = createAdminServer({ log, metrics, registries, isLive, checks });
    drains.push(createDrain(adminServer));
    await listenAt(adminServer, admin);
  }
  await listenAt(server, api);
  if (local) {
    const { folder, keys } = local;
    const { databaseUrl } = config;
    const { cert } = certificate?.current() ?? {};
    opened.defer(await recordInstance({ config, folder, keys, databaseUrl, certificate: cert }));
  }
  const resources = opened.move();
  return {
    url: api.kind === 'socket' ? `unix:${api.path}` : config.localUrl,
    waitUntilReady: async () =>
      void (await Promise.all(host.services.map((service) => service.waitUntilReady?.()))),
    reload() {
      void reloadCertificate(certificate, { config, server, log });
      for (const service of host.services) service.reload?.();
    },
    close: () => resources.disposeAsync(),
  };
}

interface RunningServer {
  config: StandaloneConfig;
  server: FastifyInstance;
  log: Logger;
}

/** Never rejects: the former certificate stays if a file cannot be used. */
async function reloadCertificate(
  certificate: OwnCertificate | undefined,
  { config, server, log }: RunningServer,
): Promise<void> {
  try {
    (await certificate?.prepare(config, server))?.apply();
  } catch (error) {
    log.error({ err: error }, 'reloading the certificate failed; the former one stays active');
  }
}

/** Data folder and keys. */
interface LocalState {
  keys: ServiceKeys;
  folder: DataFolder;
}

async function openLocalState(
  config: StandaloneConfig,
  opened: AsyncDisposableStack,
  log: Logger,
): Promise<LocalState> {
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  return {
    keys: await serviceKeys(config, await loadOrCreateKeys(folder.at('keys.json'), config), log),
    folder,
  };
}

interface ContextSources {
  config: StandaloneConfig;
  local: LocalState | undefined;
  listening: ListenConnection;
  pools: PoolList;
  log: Logger;
}

/** All roles log in with the one configured URL. */
function contextOf({
  config,
  local,
  listening,
  pools,
  log,
}: ContextSources): Omit<ServiceContext<unknown>, 'config'> {
  const { databaseUrl } = config;
  return {
    instance: config,
    source: config.source,
    log,
    keys: local?.keys,
    database: {
      isForeign: true,
      isShared: true,
      admin: undefined,
      ownerUrl: undefined,
      pools,
      urlOf: () => databaseUrl,
      open: (_role, { name, ...options }) =>
        openPool(databaseUrl, { ...options, pools, applicationName: `greenroom ${name}` }, log),
      listen: (channel, subscriber) => listening.subscribe(channel, subscriber),
    },
    messages: undefined,
    project: undefined,
    pathOf(name) {
      if (local === undefined)
        throw new Error(`no data folder is open, but a path in it was requested: ${name}`);
      return local.folder.at(name);
    },
  };
}
