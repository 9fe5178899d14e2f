/** Opens storage: opens its content store, binds the store to the database, and creates the plugin. */
import { s3KeyPairOf } from '@greenroom/keys';
import type { NewDatabaseContext, OpenService, ServiceContext } from '@greenroom/service';
import { Registry } from 'prom-client';
import { bindStore, requireUnboundStore } from './binding/bind.ts';
import { requireOwner } from './binding/require-owner.ts';
import { STORAGE_CONNECTIONS } from './fair-database.ts';
import { openStorage } from './instance.ts';
import { OPEN_STORAGE_PATHS, STORAGE_CORS, storagePlugin } from './plugin.ts';
import { STORAGE_ROLE } from './roles.ts';
import type { StorageConfig } from './settings.ts';
import { openStore } from './store/open-store.ts';

const FOLDER = 'storage';
const IDLE_CONNECTIONS = 1;

/** Rejects with StoreMismatchError if the store has content or an instance id: both belong to another database. */
export async function requireNewStore({ config, pathOf }: NewDatabaseContext<StorageConfig>): Promise<void> {
  if (config.orphans.isAdopting) return;
  const store = await openStore(config, pathOf(FOLDER));
  try {
    await requireUnboundStore(store);
  } finally {
    await store.close();
  }
}

/** Opens the service. On a foreign database, the login must own the tables of storage. */
export async function open(context: ServiceContext<StorageConfig>): Promise<OpenService<StorageConfig>> {
  const { config, database: databases, keys, log, pathOf, contentCopies } = context;
  if (keys === undefined) throw new Error('storage requires the keys of the instance');
  await using opened = new AsyncDisposableStack();
  const registry = new Registry();
  const database = databases.open(STORAGE_ROLE, {
    name: 'storage',
    max: STORAGE_CONNECTIONS,
    ...(!databases.isForeign && { min: IDLE_CONNECTIONS }),
  });
  opened.defer(() => database.close());
  if (databases.isForeign) await requireOwner(database);
  const store = await openStore(config, pathOf(FOLDER));
  opened.defer(() => store.close());
  await bindStore({ database, store, isAdopting: config.orphans.isAdopting, log });
  const s3Keys = { ...s3KeyPairOf(config.s3Protocol, keys.file), anonKey: keys.apiKeys.anon };
  const { accessTokens, jwtSecret } = keys;
  const instance = openStorage({
    config,
    keys: accessTokens,
    jwtSecret,
    s3Keys,
    database,
    store,
    contentCopies,
    registry,
    log,
  });
  opened.defer(() => instance.close());
  const resources = opened.move();
  return {
    routes: [
      {
        prefix: '/storage/v1',
        plugin: (server) => storagePlugin(server, { instance }),
        openPaths: OPEN_STORAGE_PATHS,
        cors: STORAGE_CORS,
      },
    ],
    upgrades: [],
    health: { storage: () => instance.requireReady() },
    metrics: registry,
    prepareSettings: async (next) => ({ apply: () => instance.configure(next.config) }),
    localContent: config.s3Store === undefined ? store.location : undefined,
    close: () => resources.disposeAsync(),
  };
}
