/** What a server provides to the services that it opens. */
import type { ConfigSource, InstanceConfig } from '@greenroom/config';
import type { ApiKeyReader, ApiKeys, KeyFile, Keys } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { Mailbox, Outbox } from '@greenroom/messages';
import type { Database, DatabaseOptions } from '@greenroom/postgres';

/** Keys of the instance. */
export interface ServiceKeys {
  /** Sign and verify tokens. */
  tokens: Keys;
  /** Shared by all nodes of the instance. */
  jwtSecret: string;
  apiKeys: ApiKeys;
  /** `keys.json`. */
  file: KeyFile;
  readApiKey: ApiKeyReader;
}

/** The database of the instance. */
export interface ServiceDatabase {
  /** Whether it belongs to somebody else: it is not migrated, and `url` is the only login. */
  isForeign: boolean;
  /** Whether other nodes may use it. */
  isShared: boolean;
  /** URL of a login role. `transport: 'tcp'` avoids a Unix socket where there is one. */
  urlOf(role: string, transport?: 'tcp'): string;
  /** Opens a pool that is logged in as a role. The service closes it. */
  open(role: string, options: PoolOptions): Database;
  /** Logged in as the owner of the database; undefined where it is foreign. */
  admin: Database | undefined;
}

/** Options of a pool; `name` is the service's, for `pg_stat_activity` and logs. */
type PoolOptions = { name: string } & Omit<DatabaseOptions, 'url' | 'applicationName' | 'onIdleError'>;

/** What the instance has before its database is open. */
export interface NewDatabaseContext<Config> {
  config: Config;
  /** Path below the data folder. */
  pathOf(name: string): string;
}

/** What a service is opened with. */
export interface ServiceContext<Config> extends NewDatabaseContext<Config> {
  instance: InstanceConfig;
  /** Settings as text: some may be reloaded. */
  source: ConfigSource;
  log: Logger;
  /** Undefined: API keys are not required, and only configured keys verify tokens. */
  keys: ServiceKeys | undefined;
  database: ServiceDatabase;
  /** Mail and SMS; undefined where the database is foreign. */
  messages: { outbox: Outbox; mailbox: Mailbox } | undefined;
}
