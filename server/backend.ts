/**
 * The backend of one instance: its data folder, keys and database, brought up in the order in which they need
 * each other, and closed in the reverse order.
 */
import { appMigrations } from '@greenroom/app/migrations';
import { authMigrations } from '@greenroom/auth';
import type { Config } from '@greenroom/config';
import { type DataInstance, dataMigrations, keyringVerifier, openDataInstance } from '@greenroom/data';
import { type DataFolder, openDataFolder } from '@greenroom/data-folder';
import type { Logger } from '@greenroom/http';
import type { Keys } from '@greenroom/keys';
import {
  createOutbox,
  createSmsSender,
  createSmtpSender,
  type Outbox,
  startDelivery,
} from '@greenroom/messages';
import {
  checkExternalPostgres,
  type Database,
  type DatabaseOptions,
  type EmbeddedPostgres,
  ensureRoleLogin,
  lastMigrations,
  migrate,
  openDatabase,
  platformMigrations,
  roleUrl,
  startEmbeddedPostgres,
} from '@greenroom/postgres';
import { type Feed, type NodeBus, openFeed, realtimeMigrations } from '@greenroom/realtime';
import {
  bindStore,
  type ObjectStore,
  openStore,
  STORAGE_CONNECTIONS,
  storageMigrations,
} from '@greenroom/storage';
import { createInstanceKeyring, type InstanceKeys, loadOrCreateKeys } from './instance-keys.ts';
import { logLostConnection } from './log-lost-connection.ts';
import { requireKeysOfDatabase, requireNewInstance } from './new-instance.ts';
import { openNodes } from './nodes.ts';
import { DATA_PATH } from './service-path.ts';

const DEFAULT_DATABASE_PORT = 54_322;
/** Sign-ins spend most of their time in bcrypt's threads, so few connections serve many people. */
const AUTH_CONNECTIONS = 12;
const ADMIN_CONNECTIONS = 2;
/** Of each service that stay open while idle: under load, a new login would wait for a free thread. */
const IDLE_CONNECTIONS = { auth: 3, realtime: 1, storage: 2 };
/** A join that cannot be answered in time is refused well before its sender gives up. */
const REALTIME_CONNECTION_TIMEOUT_MS = 4000;
/** So long a start waits for the write-ahead log. */
const FEED_PATIENCE_MS = 5000;
const FEED_REST_AFTER_MS = 60_000;
/** As the hosted service has it: functions find those of extensions by their names alone. */
const SEARCHED_SCHEMAS = 'public,extensions';
const SEPARATE_STORES =
  'other nodes use this database, but this node stores objects in a folder of its own: objects that clients upload here are missing on other nodes unless all nodes mount the same folder or use S3_BUCKET';
/** Our own migrations make it. */
const ANON_ROLE = 'anon';

/** An open backend. */
export interface Backend {
  folder: DataFolder;
  /** Last migration of each service. */
  schema: Readonly<Record<string, string>>;
  instanceKeys: InstanceKeys;
  keys: Keys;
  /** The embedded server, unless an external one is used. */
  embedded: EmbeddedPostgres | undefined;
  databaseUrl: string;
  /** Logged in as the database's owner; for the platform's own few statements. */
  admin: Database;
  /** Logged in as supabase_auth_admin. */
  auth: Database;
  /** Logged in as authenticator. */
  data: DataInstance;
  /** Logged in as supabase_realtime_admin. */
  realtime: Database;
  /** Undefined where the server's write-ahead log does not have what changes are told by. */
  feed: Feed | undefined;
  /** Joins the nodes of the instance; undefined where this can be the only one. */
  nodes: NodeBus | undefined;
  /** Logged in as supabase_storage_admin. */
  storage: Database;
  /** Content of objects. */
  store: ObjectStore;
  /** Mail and SMS on their way. */
  outbox: Outbox;
  /** Every part is closed, whatever becomes of the others. */
  close(): Promise<void>;
}

/** Opens everything; where a part fails, what was opened before is closed again. */
export async function openBackend(
  config: Config,
  log: Logger,
  say: (line: string) => void,
): Promise<Backend> {
  await using opened = new AsyncDisposableStack();
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  await requireKeysOfDatabase({ config, folder });
  const instanceKeys = await loadOrCreateKeys(folder.at('keys.json'), config.jwtSecret);
  const keys = await createInstanceKeyring(config, instanceKeys);
  const store = await openStore(config.storage, folder.at('storage'));
  opened.defer(() => store.close());
  const { isAdopting } = config.storage.orphans;
  const beforeNewDatabase = async () => {
    if (!isAdopting) await requireNewInstance({ config, folder, store });
  };

  const embedded = config.databaseUrl
    ? undefined
    : await startDatabase({ config, folder, instanceKeys, log, say, beforeNewDatabase });
  if (embedded) opened.defer(() => embedded.stop());
  const databaseUrl = embedded?.url ?? (await useExternalDatabase(config.databaseUrl ?? '', log));
  const nearUrl = embedded?.nearUrl ?? databaseUrl;
  await prepareDatabase(nearUrl, { secret: instanceKeys.jwtSecret, say, beforeNewDatabase });

  const open = (url: string, max: number, applicationName: string, more: Partial<DatabaseOptions> = {}) => {
    const onIdleError = (error: Error) => logLostConnection(log, applicationName, error);
    const database = openDatabase({ url, max, applicationName, onIdleError, ...more });
    opened.defer(() => database.close());
    return database;
  };
  const admin = open(nearUrl, ADMIN_CONNECTIONS, 'greenroom');
  const authUrl = roleUrl(nearUrl, 'supabase_auth_admin', instanceKeys.jwtSecret);
  const auth = open(authUrl, AUTH_CONNECTIONS, 'greenroom auth', { min: IDLE_CONNECTIONS.auth });
  const realtimeUrl = roleUrl(nearUrl, 'supabase_realtime_admin', instanceKeys.jwtSecret);
  const realtime = open(realtimeUrl, config.realtime.databaseConnections, 'greenroom realtime', {
    connectionTimeoutMs: REALTIME_CONNECTION_TIMEOUT_MS,
    min: IDLE_CONNECTIONS.realtime,
  });
  const storageUrl = roleUrl(nearUrl, 'supabase_storage_admin', instanceKeys.jwtSecret);
  const storage = open(storageUrl, STORAGE_CONNECTIONS, 'greenroom storage', {
    min: IDLE_CONNECTIONS.storage,
  });
  await bindStore({ database: storage, store, isAdopting, log });
  const authenticatorUrl = roleUrl(nearUrl, 'authenticator', instanceKeys.jwtSecret);
  const feed = await openDatabaseFeed({
    admin,
    // By TCP: the buffer of a Unix socket holds about 160 changes, and PostgreSQL waits for us whenever it is full.
    replicationUrl: roleUrl(databaseUrl, 'supabase_realtime_admin', instanceKeys.jwtSecret),
    url: authenticatorUrl,
    log,
    opened,
  });
  const outbox = openOutbox(config, admin, log, opened);
  const data = openDataInstance({
    url: authenticatorUrl,
    environment: { PGRST_DB_EXTRA_SEARCH_PATH: SEARCHED_SCHEMAS, ...config.source },
    anonRole: ANON_ROLE,
    publicUrl: `${config.auth.externalUrl}${DATA_PATH}`,
    verifyOwn: keyringVerifier(keys),
    log,
  });
  opened.defer(() => data.close());
  await data.untilLoaded();
  // Last of all: whoever greets the others answers soon, and says goodbye while everything still works.
  const nodes = await openNodes({ config, jwtSecret: instanceKeys.jwtSecret, realtimeUrl, log });
  opened.defer(() => nodes?.close());
  const isStoreLocal = config.storage.s3Store === undefined;
  if (isStoreLocal && nodes && nodes.counts().nodes > 1) log.warn({ store: store.place }, SEPARATE_STORES);
  const kept = opened.move();
  return {
    folder,
    schema: await lastMigrations(MIGRATIONS),
    instanceKeys,
    keys,
    embedded,
    databaseUrl,
    admin,
    auth,
    data,
    realtime,
    feed,
    nodes,
    storage,
    store,
    outbox,
    close: () => kept.disposeAsync(),
  };
}

interface FeedSources {
  admin: Database;
  replicationUrl: string;
  url: string;
  log: Logger;
  opened: AsyncDisposableStack;
}

/** Waits until changes are told, but not for ever: realtime does the rest without them. */
async function openDatabaseFeed({ admin, opened, log, ...urls }: FeedSources): Promise<Feed | undefined> {
  const [setting] = await admin.query<{ wal_level: string }>({ text: 'show wal_level' });
  if (setting?.wal_level !== 'logical') return undefined;
  const feed = openFeed({ ...urls, log, restAfterMs: FEED_REST_AFTER_MS });
  opened.defer(() => feed.close());
  await feed.untilStreaming(AbortSignal.timeout(FEED_PATIENCE_MS)).catch(() => {
    log.warn('database changes do not reach realtime channels yet');
  });
  return feed;
}

/** What is still under way is finished before the database is closed. */
function openOutbox(config: Config, database: Database, log: Logger, opened: AsyncDisposableStack): Outbox {
  const mail = config.smtp && createSmtpSender(config.smtp);
  if (mail) opened.defer(() => mail.close());
  const sms = config.sms && createSmsSender(config.sms);
  const logsContent = !config.limitsLoopback && mail === undefined;
  const delivery = startDelivery({ database, mail, sms, log, logsContent });
  opened.defer(() => delivery.close());
  const delivers = {
    mail: mail !== undefined,
    sms: sms !== undefined,
    whatsapp: sms?.channels.includes('whatsapp') ?? false,
  };
  return createOutbox({ delivers, wake: () => delivery.wake() });
}

interface EmbeddedSources {
  config: Config;
  folder: DataFolder;
  instanceKeys: InstanceKeys;
  log: Logger;
  say: (line: string) => void;
  beforeNewDatabase: () => Promise<void>;
}

function startDatabase(sources: EmbeddedSources): Promise<EmbeddedPostgres> {
  const { config, folder, instanceKeys, log, say, beforeNewDatabase } = sources;
  return startEmbeddedPostgres({
    directory: folder.at('postgres'),
    port: config.databasePort ?? DEFAULT_DATABASE_PORT,
    portIsFixed: config.databasePort !== undefined,
    password: instanceKeys.file.databasePassword,
    userConfiguration: folder.at('postgresql.conf'),
    memoryLimitMb: config.databaseMemoryLimitMb,
    beforeInitialise: beforeNewDatabase,
    onProgress: say,
    onLog: (line) => logServerLine(log, line),
  });
}

/** PostgreSQL's severities, in our log's levels. Its everyday lines are of no interest to most. */
function logServerLine(log: Logger, line: string): void {
  if (/^(FATAL|PANIC|ERROR):/.test(line)) log.warn({ postgres: line }, 'postgres');
  else if (line.includes('ended by itself')) log.error({ postgres: line }, 'postgres');
  else log.debug({ postgres: line }, 'postgres');
}

async function useExternalDatabase(url: string, log: Logger): Promise<string> {
  for (const warning of await checkExternalPostgres(url)) log.warn(warning);
  return url;
}

interface Preparation {
  secret: string;
  say: (line: string) => void;
  beforeNewDatabase: () => Promise<void>;
}

/** Migrations of an instance, in the order in which they are applied. */
const MIGRATIONS = [
  platformMigrations,
  authMigrations,
  dataMigrations,
  realtimeMigrations,
  storageMigrations,
  appMigrations,
];

async function prepareDatabase(url: string, { secret, say, beforeNewDatabase }: Preparation): Promise<void> {
  const applied = await migrate(url, MIGRATIONS, { beforeFirst: beforeNewDatabase });
  if (applied.length > 0) say(`applied ${applied.length} migration${applied.length > 1 ? 's' : ''}`);
  const isNew = applied.includes('platform/0001_platform');
  for (const role of [
    'supabase_auth_admin',
    'supabase_realtime_admin',
    'supabase_storage_admin',
    'authenticator',
  ]) {
    await ensureRoleLogin(role, { adminUrl: url, secret, isNew });
  }
}
