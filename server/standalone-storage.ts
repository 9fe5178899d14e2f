/**
 * Storage alone, on a database that has its schema and roles already: nothing is made or changed there but rows. Keys and
 * content are in the data folder, unless the settings name others.
 */
import type { StandaloneConfig } from '@greenroom/config';
import { openDataFolder, writeInstanceRecord } from '@greenroom/data-folder';
import { createHttpServer, createLogger, createMetrics } from '@greenroom/http';
import { createApiKeyReader, s3KeyPairOf } from '@greenroom/keys';
import { type Database, openDatabase } from '@greenroom/postgres';
import { bindStore, openStorage, openStore, STORAGE_CONNECTIONS } from '@greenroom/storage';
import { createDrain } from './drain.ts';
import { registerHealth } from './health.ts';
import { createInstanceKeyring, loadOrCreateKeys } from './instance-keys.ts';
import { logLostConnection } from './log-lost-connection.ts';
import { isForThisMachineOnly, registerMetrics } from './metrics-route.ts';
import { STORAGE_PATH } from './service-path.ts';
import { registerStorageScope } from './storage-scope.ts';
import { VERSION } from './version.ts';

/** A running storage. */
export interface StandaloneStorage {
  /** http://HOST:PORT */
  url: string;
  /** Stops accepting, finishes what is running, then closes the connections to the database. */
  close(): Promise<void>;
}

/** Starts it; resolves when it listens. Throws where the login role is not the owner of the tables. */
export async function startStandaloneStorage(config: StandaloneConfig): Promise<StandaloneStorage> {
  await using opened = new AsyncDisposableStack();
  const log = createLogger(config.logLevel);
  opened.defer(() => log.flush());
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  const instanceKeys = await loadOrCreateKeys(folder.at('keys.json'), config.jwtSecret);
  const keys = await createInstanceKeyring(config, instanceKeys);
  const database = openDatabase({
    url: config.databaseUrl,
    max: STORAGE_CONNECTIONS,
    applicationName: 'greenroom storage',
    onIdleError: (error) => logLostConnection(log, 'greenroom storage', error),
  });
  opened.defer(() => database.close());
  await requireOwner(database);
  const store = await openStore(config.storage, folder.at('storage'));
  opened.defer(() => store.close());
  await bindStore({ database, store, isAdopting: config.storage.orphans.isAdopting, log });
  const metrics = createMetrics();
  const { jwtSecret, apiKeys, file } = instanceKeys;
  const instance = openStorage({
    config: config.storage,
    keys,
    jwtSecret,
    s3Keys: { ...s3KeyPairOf(config.storage.s3Protocol, file), anonKey: apiKeys.anon },
    database,
    store,
    registry: metrics.registry,
    log,
  });
  opened.defer(() => instance.close());

  const server = createHttpServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    limitsLoopback: config.limitsLoopback,
    maxConnectionsPerClient: config.maxConnectionsPerClient,
  });
  opened.defer(createDrain(server));
  const readApiKey = createApiKeyReader(apiKeys, keys);
  registerHealth(server, { storage: () => instance.requireReady() }, { version: VERSION });
  registerMetrics(server, metrics, { readApiKey, requireKey: !isForThisMachineOnly(config) });
  await registerStorageScope(server, { prefix: STORAGE_PATH, instance, readApiKey });
  await server.listen({ host: config.host, port: config.port });
  await writeInstanceRecord(folder.path, {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    ready: true,
    apiUrl: config.localUrl,
  });
  const kept = opened.move();
  return { url: config.localUrl, close: () => kept.disposeAsync() };
}

/** A superuser could become any role that a token names; another role would be held to policies in our own statements. */
async function requireOwner(database: Database): Promise<void> {
  const [login] = await database.query<{ role: string; isOwner: boolean; isSuperuser: boolean }>({
    text: `select current_user as role, rolsuper as "isSuperuser",
        exists (
          select from pg_class where relname = 'objects' and relnamespace = (
            select oid from pg_namespace where nspname = 'storage'
          ) and relowner = r.oid
        ) as "isOwner"
      from pg_roles as r where rolname = current_user`,
  });
  if (login?.isOwner && !login.isSuperuser) return;
  throw new Error(
    `DATABASE_URL: storage alone needs the role that owns storage.objects (supabase_storage_admin), and no superuser; this is "${login?.role}"`,
  );
}
