/**
 * The foundation of all services: database, project and messages, opened in the order of their dependencies and closed in
 * the reverse order.
 */
import type { DataFolder } from '@greenroom/data-folder';
import { acceptIssuers, createApiKeyReader } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import { openMailbox } from '@greenroom/messages';
import {
  createPoolList,
  type Database,
  type EmbeddedPostgres,
  type ListenConnection,
  logLostConnection,
  openDatabase,
  openListenConnection,
  type PoolList,
  roleUrl,
} from '@greenroom/postgres';
import { setUpProject } from '@greenroom/project';
import type { ServiceDatabase, ServiceKeys, ServiceMessages } from '@greenroom/service';
import { type DatabaseOptions, openInstanceDatabase } from './instance-database.ts';
import { createInstanceKeyring, type InstanceKeys, requireConfiguredApiKeys } from './instance-keys.ts';
import { openMessages } from './messages.ts';
import { lastMigrationOfEach } from './migrations.ts';
import type { Config } from './settings.ts';
import { createSilence, type Silence } from './silent-database.ts';

const ADMIN_CONNECTIONS = 2;
/** The second connection is rarely needed, and costs several megabytes. */
const ADMIN_IDLE_MS = 1000;
/** Every role may listen to every channel; this one has no other rights unless it switches to another role. */
const LISTENING_ROLE = 'authenticator';

export interface Backend {
  folder: DataFolder;
  /** Last migration of each service. */
  schema: Readonly<Record<string, string>>;
  keys: ServiceKeys;
  /** The embedded server; undefined if an external one is used. */
  embedded: EmbeddedPostgres | undefined;
  /** URL of the owner of the database, for clients. */
  databaseUrl: string;
  /** URL of the owner of the database, for Greenroom itself. */
  ownDatabaseUrl: string;
  /** URL of the role that migrates the database, for Greenroom itself. */
  adminDatabaseUrl: string;
  /** Logged in as the role that migrates the database; for the few statements of the instance itself. */
  admin: Database;
  database: ServiceDatabase;
  messages: ServiceMessages;
  /** Closes every part, even if closing others fails. Ends an embedded server that is silent. */
  close(): Promise<void>;
}

/** Options of {@link openBackend}. */
interface BackendOptions extends DatabaseOptions {
  /** The knowledge of the instance that stops. Default: that of this backend. */
  silence?: Silence;
}

/**
 * Opens all parts; if one fails, those opened before are closed again. Migrations and seeds of the project are applied before
 * the backend is open.
 */
export async function openBackend(options: BackendOptions): Promise<Backend> {
  const { config, project, log, onProgress, silence = createSilence({ log }) } = options;
  await using opened = new AsyncDisposableStack();
  const { folder, keys: instanceKeys, postgres, close } = await openInstanceDatabase(options);
  opened.defer(close);
  // Its connections end with it, so nothing waits on them any longer.
  silence.signal.addEventListener('abort', () => postgres.embedded?.kill());
  // Before migrations: a wrong setting of keys applies nothing.
  const keys = await serviceKeys(config, instanceKeys, log);
  if (project) await setUpProject({ url: postgres.owner.localUrl, ...project, onProgress });
  const { owner, admin: adminUrls } = postgres;
  const urls = { local: owner.localUrl, tcp: owner.ownUrl, secret: instanceKeys.derivationSecret };
  const pools = createPoolList();
  const adminPool = { max: ADMIN_CONNECTIONS, min: 1, idleTimeoutMs: ADMIN_IDLE_MS, pools };
  const admin = openPool(adminUrls.localUrl, { ...adminPool, applicationName: 'greenroom' }, log);
  opened.defer(() => silence.close(() => admin.close()));
  const delivery = await openMessages(config, admin, log);
  opened.defer(() => silence.close(() => delivery.close()));
  const listening = openListening(roleUrl(urls.local, LISTENING_ROLE, urls.secret), log);
  opened.defer(() => silence.close(() => listening.close()));
  const resources = opened.move();
  return {
    folder,
    schema: await lastMigrationOfEach(),
    keys,
    embedded: postgres.embedded,
    databaseUrl: owner.url,
    ownDatabaseUrl: owner.ownUrl,
    adminDatabaseUrl: adminUrls.ownUrl,
    admin,
    database: serviceDatabase({
      urls,
      admin,
      listening,
      pools,
      isShared: config.databaseUrl !== undefined,
      log,
    }),
    messages: { outbox: delivery.outbox, mailbox: openMailbox(admin), checkCode: delivery.checkCode },
    close: () => resources.disposeAsync(),
  };
}

/** The settings that the keys of services depend on. */
type KeysConfig = Pick<
  Config,
  'signingKeys' | 'signingKeysFile' | 'ownAlgorithm' | 'apiKeys' | 'usesCliKeys' | 'trustedIssuers'
>;

/** Combines the keys that services use. Throws ConfigError for a configured API key that is not valid. */
export async function serviceKeys(
  config: KeysConfig,
  instanceKeys: InstanceKeys,
  log: Logger,
): Promise<ServiceKeys> {
  const tokens = await createInstanceKeyring(config, instanceKeys);
  await requireConfiguredApiKeys(config, tokens);
  const onFailure = (issuer: string, error: unknown) =>
    log.warn({ issuer, reason: (error as Error).message }, 'the keys of an issuer cannot be fetched');
  return {
    ...instanceKeys,
    tokens,
    accessTokens: acceptIssuers(tokens, config.trustedIssuers, { onFailure }),
    readApiKey: createApiKeyReader(instanceKeys.apiKeys, tokens),
  };
}

interface DatabaseSources {
  urls: { local: string; tcp: string; secret: string };
  admin: Database;
  listening: ListenConnection;
  pools: PoolList;
  isShared: boolean;
  log: Logger;
}

function serviceDatabase({ urls, admin, listening, pools, isShared, log }: DatabaseSources): ServiceDatabase {
  const urlOf: ServiceDatabase['urlOf'] = (role, transport) =>
    roleUrl(transport === 'tcp' ? urls.tcp : urls.local, role, urls.secret);
  return {
    isForeign: false,
    isShared,
    admin,
    pools,
    ownerUrl: urls.local,
    urlOf,
    open: (role, { name, ...options }) =>
      openPool(urlOf(role), { ...options, pools, applicationName: `greenroom ${name}` }, log),
    listen: (channel, subscriber) => listening.subscribe(channel, subscriber),
  };
}

/** Creates the connection on which all services listen. */
export function openListening(url: string, log: Logger): ListenConnection {
  return openListenConnection({
    url,
    applicationName: 'greenroom, listening',
    onSubscriberError: (error, channel) =>
      log.error({ err: error, channel }, 'a notification of the database was not processed'),
  });
}

/** Opens a pool that logs lost connections. */
export function openPool(
  url: string,
  options: Omit<Parameters<typeof openDatabase>[0], 'url'>,
  log: Logger,
): Database {
  const onIdleError = (error: Error) => logLostConnection(log, options.applicationName, error);
  return openDatabase({ url, onIdleError, ...options });
}
