/** The data API of one database: its connections, and a snapshot that is replaced when settings or schema change. */
import type { ConfigSource } from '@greenroom/config';
import type { FairQueue } from '@greenroom/limits';
import type { Logger } from '@greenroom/log';
import { type Database, openDatabase, openRawPool, type PoolList, type RawPool } from '@greenroom/postgres';
import { createCallerReader } from './auth/caller.ts';
import type { TokenVerifier } from './auth/verify-token.ts';
import { verifierOf } from './auth/verify-token.ts';
import { loadRoleSettings, type RoleSettings } from './execute/role-settings.ts';
import { createBodyQueue } from './request/body.ts';
import { createSchemaCacheReloader, type ReloaderOptions } from './schema-cache/reload.ts';
import { readDatabaseSettings, withDatabaseSettings } from './settings/database-settings.ts';
import { type DataConfig, loadDataConfig } from './settings/settings.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';
import { isSqlError } from './sql-state.ts';

/** Catalog queries run one after the other, so one connection is enough. */
const CATALOG_CONNECTIONS = 1;
/**
 * How long the connection of catalog queries stays open while idle. A load fills the catalog caches of its backend with
 * several megabytes, which PostgreSQL only releases with the connection; loads in quick succession share one.
 */
const CATALOG_IDLE_MS = 1000;
/** Idle connections that stay open, so that a process under load does not have to log in again. */
const IDLE_CONNECTIONS = 3;
/** How long a start waits for the schema. A slower database is served once its schema has been read. */
const START_TIMEOUT_MS = 10_000;

/** Options of {@link openDataInstance}. */
interface DataInstanceOptions {
  /** Connection URL of the login role that switches to the roles of requests. */
  url: string;
  /** Subscribes to a channel of the database. */
  listen: ReloaderOptions['listen'];
  /** Settings by the names of environment variables. Settings in the database override them. */
  environment: ConfigSource;
  /** The role of requests without a token if no setting names one. Undefined rejects these requests. */
  anonRole: string | undefined;
  /** URL at which clients reach the service. */
  publicUrl: string;
  /** Verifies tokens with the instance's own keys; undefined if the instance has no keys. */
  verifyOwn: TokenVerifier | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Receives the usage of the pools. Default: none. */
  pools?: PoolList | undefined;
  /** Minimum time between two reads of the schema, in milliseconds; 100 by default. */
  minReloadIntervalMs?: number | undefined;
}

export interface DataInstance {
  pool: RawPool;
  /** Limits how many large bodies are parsed at the same time. */
  bodyQueue: FairQueue;
  log: DataInstanceOptions['log'];
  /** Returns the current snapshot; undefined until the schema has been read for the first time. */
  snapshot(): Snapshot | undefined;
  /** Resolves when the schema has been read, or after a timeout. */
  waitUntilLoaded(): Promise<void>;
  /** Rejects while the schema has not been read yet or the database is not reachable. */
  requireReady(): Promise<void>;
  /** Schedules another read of the schema and the settings, as a notification does. */
  reload(): void;
  /** Replaces the environment of the start, and schedules another read of the schema and the settings. */
  reloadWith(environment: ConfigSource): void;
  close(): Promise<void>;
}

/** Whether the operator configured the maximum idle time of connections, by its current or its earlier name. */
function setsIdleTime({ PGRST_DB_POOL_MAX_IDLETIME, PGRST_DB_POOL_TIMEOUT }: ConfigSource): boolean {
  return Boolean(PGRST_DB_POOL_MAX_IDLETIME || PGRST_DB_POOL_TIMEOUT);
}

/** Opens an instance. A database that is unavailable does not make this fail: the instance retries until it succeeds. */
export function openDataInstance(options: DataInstanceOptions): DataInstance {
  const { url, publicUrl, log, pools } = options;
  let { environment } = options;
  let config = loadDataConfig(environment);
  // Created before the first reload so that an unusable key in the environment aborts the start.
  let readCaller = callerReader(config, options);
  const { databaseConfig } = config;
  const onIdleError = ({ message }: Error) => log.warn({ pool: 'data', reason: message }, 'connection lost');
  const preparesStatements = () => config.preparesStatements;
  const pool = openRawPool({
    url,
    max: config.pool.maxConnections,
    min: setsIdleTime(environment) ? 0 : IDLE_CONNECTIONS,
    connectionTimeoutMs: config.pool.acquisitionTimeoutMs,
    applicationName: 'greenroom data',
    idleTimeoutMs: config.pool.maxIdleMs,
    maxLifetimeMs: config.pool.maxLifetimeMs,
    preparesStatements,
    onIdleError,
    pools,
  });
  const catalog = openDatabase({
    url,
    max: CATALOG_CONNECTIONS,
    applicationName: 'greenroom data catalog',
    idleTimeoutMs: CATALOG_IDLE_MS,
    preparesStatements,
    onIdleError,
    pools,
  });
  let snapshot: Snapshot | undefined;
  let roleSettings: RoleSettings;
  const loaded = Promise.withResolvers<void>();
  const reloader = createSchemaCacheReloader({
    database: catalog,
    listen: options.listen,
    channel: config.channel,
    logger: log,
    ...(options.minReloadIntervalMs !== undefined && { minIntervalMs: options.minReloadIntervalMs }),
    async settings() {
      roleSettings = await loadRoleSettings(catalog);
      const next = await readConfig(catalog, environment, { last: config, databaseConfig, log });
      try {
        readCaller = callerReader(next, options);
        config = next;
      } catch (error) {
        log.error({ err: error }, 'the new token keys are invalid; the previous settings stay active');
      }
      return config;
    },
    onReload(cache) {
      snapshot = createSnapshot({ config, cache, roleSettings, readCaller, publicUrl });
      loaded.resolve();
    },
  });
  return {
    pool,
    bodyQueue: createBodyQueue(),
    log,
    snapshot: () => snapshot,
    waitUntilLoaded: () => waitAtMost(loaded.promise, START_TIMEOUT_MS),
    async requireReady() {
      if (snapshot === undefined) throw new Error('the schema cache is not loaded yet');
      await catalog.query({ text: 'select 1' });
    },
    reload: () => reloader.reload(),
    reloadWith(next) {
      environment = next;
      reloader.reload();
    },
    async close() {
      // In parallel: closing the connection aborts a reload, and the timeouts of an unresponsive server do not add up.
      await Promise.all([reloader.close(), pool.close(), catalog.close()]);
    },
  };
}

interface Reconfiguration {
  last: DataConfig;
  /** The value from the environment. */
  databaseConfig: DataConfig['databaseConfig'];
  log: DataInstanceOptions['log'];
}

/**
 * Reads the configuration again: from the environment, the files that it names, and the database. Returns the last
 * configuration if the new one is invalid.
 */
async function readConfig(
  database: Database,
  environment: ConfigSource,
  { last, databaseConfig: { isEnabled, preConfig }, log }: Reconfiguration,
): Promise<DataConfig> {
  const reading = isEnabled ? readDatabaseSettings(database, preConfig) : Promise.resolve({});
  const found = await reading.catch((error: unknown) => {
    // A failing pre-config function must not prevent the read of the schema. An unreachable database does.
    if (!isSqlError(error)) throw error;
    log.error(
      { err: error },
      'reading the settings in the database failed; the previous settings stay active',
    );
  });
  if (found === undefined) return last;
  const settings = withDatabaseSettings(environment, found);
  if (settings.kind === 'loaded') return settings.config;
  log.error(
    { problems: settings.problems },
    'settings in the database or in a file are invalid; the previous settings stay active',
  );
  return last;
}

function callerReader(config: DataConfig, { verifyOwn, anonRole }: DataInstanceOptions) {
  const { jwt } = config;
  return createCallerReader({
    verify: verifierOf(verifyOwn, jwt.secret),
    anonRole: config.anonRole ?? anonRole,
    audience: jwt.audience,
    roleClaimKey: jwt.roleClaimKey,
    maxCachedTokens: jwt.cacheMaxEntries,
  });
}

async function waitAtMost(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
