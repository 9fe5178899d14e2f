/** The data API of one database: its connections, and a snapshot that follows the settings and the schema. */
import type { DataConfig } from '@greenroom/config';
import type { Logger } from '@greenroom/http';
import { openDatabase, openRawPool, type RawPool } from '@greenroom/postgres';
import { createCallerReader } from './auth/caller.ts';
import type { TokenVerifier } from './auth/verify-token.ts';
import { verifierOf } from './auth/verify-token.ts';
import { loadRoleSettings, type RoleSettings } from './execute/role-settings.ts';
import { createSchemaCacheKeeper } from './schema-cache/reload.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

/** The catalogs are read by one after the other. */
const CATALOG_CONNECTIONS = 1;
/** So long the start waits for the schema. A database that takes longer is served as soon as it is there. */
const PATIENCE_MS = 10_000;

/** Options of {@link openDataInstance}. */
export interface DataInstanceOptions {
  /** Connection URL of the login role that switches to the roles of requests. */
  url: string;
  config: DataConfig;
  /** Verifies with the instance's own keys; undefined where it has none. */
  verifyOwn: TokenVerifier | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** An open one. */
export interface DataInstance {
  pool: RawPool;
  /** The newest; undefined until the schema has been read for the first time. */
  snapshot(): Snapshot | undefined;
  close(): Promise<void>;
}

/** Opens it, and waits a while for the schema. Never fails because of the database: it is asked again until it answers. */
export async function openDataInstance(options: DataInstanceOptions): Promise<DataInstance> {
  const { url, config, log } = options;
  const onIdleError = ({ message }: Error) => log.warn({ pool: 'data', reason: message }, 'connection lost');
  const pool = openRawPool({
    url,
    max: config.pool.maxConnections,
    connectionTimeoutMs: config.pool.acquisitionTimeoutMs,
    applicationName: 'greenroom data',
    onIdleError,
  });
  const catalog = openDatabase({
    url,
    max: CATALOG_CONNECTIONS,
    applicationName: 'greenroom data catalog',
    onIdleError,
  });
  let snapshot: Snapshot | undefined;
  let roleSettings: RoleSettings;
  const loaded = Promise.withResolvers<void>();
  const keeper = createSchemaCacheKeeper({
    database: catalog,
    listenUrl: url,
    logger: log,
    async settings() {
      roleSettings = await loadRoleSettings(catalog);
      return config;
    },
    onReload(cache) {
      snapshot = createSnapshot({
        config,
        cache,
        roleSettings,
        readCaller: callerReader(config, options.verifyOwn),
      });
      loaded.resolve();
    },
  });
  await withinTime(loaded.promise, PATIENCE_MS);
  return {
    pool,
    snapshot: () => snapshot,
    async close() {
      await keeper.close();
      await Promise.all([pool.close(), catalog.close()]);
    },
  };
}

function callerReader({ jwt, anonRole }: DataConfig, verifyOwn: TokenVerifier | undefined) {
  return createCallerReader({
    verify: verifierOf(verifyOwn, jwt.secret),
    anonRole,
    audience: jwt.audience,
    roleClaimKey: jwt.roleClaimKey,
    rememberedTokens: jwt.cacheMaxEntries,
  });
}

async function withinTime(promise: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([promise, late]);
  clearTimeout(timer);
}
