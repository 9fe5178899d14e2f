/** The data API of one database: its connections, and a snapshot that follows the settings and the schema. */
import type { ConfigSource } from '@greenroom/config';
import type { FairQueue } from '@greenroom/limits';
import type { Logger } from '@greenroom/log';
import { type Database, openDatabase, openRawPool, type RawPool } from '@greenroom/postgres';
import { createCallerReader } from './auth/caller.ts';
import type { TokenVerifier } from './auth/verify-token.ts';
import { verifierOf } from './auth/verify-token.ts';
import { loadRoleSettings, type RoleSettings } from './execute/role-settings.ts';
import { createBodyQueue } from './request/body.ts';
import { createSchemaCacheKeeper } from './schema-cache/reload.ts';
import { readDatabaseSettings, withDatabaseSettings } from './settings/database-settings.ts';
import { type DataConfig, loadDataConfig } from './settings/settings.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';
import { isSqlError } from './sql-state.ts';

/** The catalogs are read by one after the other. */
const CATALOG_CONNECTIONS = 1;
/** Connections for requests that stay open while idle, so that a loaded process need not log in again. */
const IDLE_CONNECTIONS = 3;
/** So long a start waits for the schema. A database that takes longer is served as soon as it is there. */
const PATIENCE_MS = 10_000;

/** Options of {@link openDataInstance}. */
interface DataInstanceOptions {
  /** Connection URL of the login role that switches to the roles of requests. */
  url: string;
  /** Settings by the names of environment variables; those in the database win over them. */
  environment: ConfigSource;
  /** The role of requests without a token, where no setting names one; undefined lets none of them in. */
  anonRole: string | undefined;
  /** Where clients reach the service. */
  publicUrl: string;
  /** Verifies with the instance's own keys; undefined where it has none. */
  verifyOwn: TokenVerifier | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Shortest time from one reading of the schema to the next, in milliseconds; a tenth of a second if not given. */
  leastReloadIntervalMs?: number | undefined;
}

/** An open one. */
export interface DataInstance {
  pool: RawPool;
  /** For large bodies. */
  bodyQueue: FairQueue;
  log: DataInstanceOptions['log'];
  /** The newest; undefined until the schema has been read for the first time. */
  snapshot(): Snapshot | undefined;
  /** Waits until the schema has been read, but not for ever. */
  untilLoaded(): Promise<void>;
  /** Rejects while requests cannot be answered: the schema has not been read yet, or the database is not reachable. */
  requireReady(): Promise<void>;
  /** Has the schema and the settings read once more, as a notification does. */
  reload(): void;
  close(): Promise<void>;
}

/** Whether the operator says when idle connections are closed, by the name of today or the earlier one. */
function setsIdleTime({ PGRST_DB_POOL_MAX_IDLETIME, PGRST_DB_POOL_TIMEOUT }: ConfigSource): boolean {
  return Boolean(PGRST_DB_POOL_MAX_IDLETIME || PGRST_DB_POOL_TIMEOUT);
}

/** Opens it. Never fails because of the database: it is asked again until it answers. */
export function openDataInstance(options: DataInstanceOptions): DataInstance {
  const { url, environment, publicUrl, log } = options;
  let config = loadDataConfig(environment);
  // Here, so that a key of the environment that cannot be used stops the start.
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
  });
  const catalog = openDatabase({
    url,
    max: CATALOG_CONNECTIONS,
    applicationName: 'greenroom data catalog',
    preparesStatements,
    onIdleError,
  });
  let snapshot: Snapshot | undefined;
  let roleSettings: RoleSettings;
  const loaded = Promise.withResolvers<void>();
  const keeper = createSchemaCacheKeeper({
    database: catalog,
    listenUrl: url,
    channel: config.channel,
    logger: log,
    ...(options.leastReloadIntervalMs !== undefined && { leastIntervalMs: options.leastReloadIntervalMs }),
    async settings() {
      roleSettings = await loadRoleSettings(catalog);
      const next = await configNow(catalog, environment, { last: config, databaseConfig, log });
      try {
        readCaller = callerReader(next, options);
        config = next;
      } catch (error) {
        log.error(
          { err: error },
          'the key for tokens cannot be used, and is not; nor are other settings that are new',
        );
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
    untilLoaded: () => withinTime(loaded.promise, PATIENCE_MS),
    async requireReady() {
      if (snapshot === undefined) throw new Error('the schema has not been read yet');
      await catalog.query({ text: 'select 1' });
    },
    reload: () => keeper.reload(),
    async close() {
      // At once: what is loading ends with its connection, and a server that has gone silent is waited for only once.
      await Promise.all([keeper.close(), pool.close(), catalog.close()]);
    },
  };
}

interface Reconfiguration {
  last: DataConfig;
  /** As the environment has it. */
  databaseConfig: DataConfig['databaseConfig'];
  log: DataInstanceOptions['log'];
}

/**
 * The configuration with the settings that are in the database now, and in files that the environment names. One that
 * cannot be used leaves the last one as it is.
 */
async function configNow(
  database: Database,
  environment: ConfigSource,
  { last, databaseConfig: { isEnabled, preConfig }, log }: Reconfiguration,
): Promise<DataConfig> {
  const reading = isEnabled ? readDatabaseSettings(database, preConfig) : Promise.resolve({});
  const found = await reading.catch((error: unknown) => {
    // The schema is read all the same where somebody's function fails, but not where the database cannot be reached.
    if (!isSqlError(error)) throw error;
    log.error({ err: error }, 'settings in the database could not be read, and are not used');
  });
  if (found === undefined) return last;
  const settings = withDatabaseSettings(environment, found);
  if (settings.kind === 'loaded') return settings.config;
  log.error(
    { problems: settings.problems },
    'settings in the database, or in a file, are wrong, and not used',
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
    rememberedTokens: jwt.cacheMaxEntries,
  });
}

async function withinTime(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
