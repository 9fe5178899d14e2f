/**
 * The foundation of all services: data folder, keys, database and messages, opened in the order of their dependencies
 * and closed in the reverse order.
 */
import { type DataFolder, openDataFolder } from '@greenroom/data-folder';
import { createApiKeyReader } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import { type Mailbox, type Outbox, openMailbox } from '@greenroom/messages';
import {
  type Database,
  type EmbeddedPostgres,
  ensureRoleLogin,
  lastMigrations,
  logLostConnection,
  migrate,
  openDatabase,
  roleUrl,
} from '@greenroom/postgres';
import type { ServiceDatabase, ServiceKeys } from '@greenroom/service';
import { createInstanceKeyring, type InstanceKeys, loadOrCreateKeys } from './instance-keys.ts';
import { openMessages } from './messages.ts';
import { MIGRATIONS } from './migrations.ts';
import { requireKeysOfDatabase, requireNewInstance } from './new-instance.ts';
import { startPostgres } from './postgres.ts';
import { services } from './services.ts';
import type { Config } from './settings.ts';

const ADMIN_CONNECTIONS = 2;

export interface Backend {
  folder: DataFolder;
  /** Last migration of each service. */
  schema: Readonly<Record<string, string>>;
  keys: ServiceKeys;
  /** The embedded server; undefined if an external one is used. */
  embedded: EmbeddedPostgres | undefined;
  databaseUrl: string;
  /** Logged in as the database's owner; for the few statements of the instance itself. */
  admin: Database;
  database: ServiceDatabase;
  messages: { outbox: Outbox; mailbox: Mailbox };
  /** Closes every part, even if closing others fails. */
  close(): Promise<void>;
}

/** Opens all parts; if one fails, those opened before are closed again. */
export async function openBackend(
  config: Config,
  log: Logger,
  onProgress: (line: string) => void,
): Promise<Backend> {
  await using opened = new AsyncDisposableStack();
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  await requireKeysOfDatabase({ config, folder });
  const instanceKeys = await loadOrCreateKeys(folder.at('keys.json'), config.jwtSecret);
  const beforeNewDatabase = () => requireNewInstance({ config, folder });
  const postgres = await startPostgres({ config, folder, instanceKeys, log, onProgress, beforeNewDatabase });
  opened.defer(() => postgres.embedded?.stop());
  const { jwtSecret } = instanceKeys;
  const isNew = postgres.embedded?.isNew ?? false;
  await prepareDatabase(postgres.localUrl, { secret: jwtSecret, isNew, onProgress, beforeNewDatabase });
  const urls = { local: postgres.localUrl, tcp: postgres.url, secret: jwtSecret };
  const admin = openPool(urls.local, { max: ADMIN_CONNECTIONS, applicationName: 'greenroom' }, log);
  opened.defer(() => admin.close());
  const delivery = openMessages(config, admin, log);
  opened.defer(() => delivery.close());
  const keys = await serviceKeys(config, instanceKeys);
  const resources = opened.move();
  return {
    folder,
    schema: await lastMigrations(MIGRATIONS),
    keys,
    embedded: postgres.embedded,
    databaseUrl: postgres.url,
    admin,
    database: serviceDatabase({ urls, admin, isShared: config.databaseUrl !== undefined, log }),
    messages: { outbox: delivery.outbox, mailbox: openMailbox(admin) },
    close: () => resources.disposeAsync(),
  };
}

/** Combines the keys that services use. */
export async function serviceKeys(
  config: Pick<Config, 'signingKeys' | 'signingKeysFile' | 'ownAlgorithm'>,
  instanceKeys: InstanceKeys,
): Promise<ServiceKeys> {
  const tokens = await createInstanceKeyring(config, instanceKeys);
  return { ...instanceKeys, tokens, readApiKey: createApiKeyReader(instanceKeys.apiKeys, tokens) };
}

interface DatabaseSources {
  urls: { local: string; tcp: string; secret: string };
  admin: Database;
  isShared: boolean;
  log: Logger;
}

function serviceDatabase({ urls, admin, isShared, log }: DatabaseSources): ServiceDatabase {
  const urlOf: ServiceDatabase['urlOf'] = (role, transport) =>
    roleUrl(transport === 'tcp' ? urls.tcp : urls.local, role, urls.secret);
  return {
    isForeign: false,
    isShared,
    admin,
    urlOf,
    open: (role, { name, ...options }) =>
      openPool(urlOf(role), { ...options, applicationName: `greenroom ${name}` }, log),
  };
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

interface Preparation {
  secret: string;
  /** Whether the database was created by this start. */
  isNew: boolean;
  onProgress: (line: string) => void;
  beforeNewDatabase: () => Promise<void>;
}

async function prepareDatabase(
  url: string,
  { secret, isNew, onProgress, beforeNewDatabase }: Preparation,
): Promise<void> {
  const applied = await migrate(url, MIGRATIONS, {
    beforeFirst: beforeNewDatabase,
    onSlow: (name) => onProgress(`applying migration ${name}, which takes longer on large tables`),
  });
  if (applied.length > 0) onProgress(`applied ${applied.length} migration${applied.length > 1 ? 's' : ''}`);
  const hasNewRoles = isNew || applied.includes('platform/0001_platform');
  const roles = new Set(services.flatMap((service) => service.roles));
  await Promise.all(
    [...roles].map((role) => ensureRoleLogin(role, { adminUrl: url, secret, isNew: hasNewRoles })),
  );
}
