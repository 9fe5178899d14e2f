/** The objects that a server provides to the services that it opens. */
import type { ConfigSource, InstanceConfig } from '@greenroom/config';
import type { AccessTokens, ApiKeyReader, ApiKeys, KeyFile, Keys } from '@greenroom/keys';
import type { Logger } from '@greenroom/log';
import type { CodeCheck, Mailbox, Outbox } from '@greenroom/messages';
import type { Database, DatabaseOptions, ListenConnection, PoolList } from '@greenroom/postgres';
import type { ProjectFunction } from '@greenroom/project';

/** Keys of the instance. */
export interface ServiceKeys {
  /** Signs and verifies the tokens of the instance. */
  tokens: Keys;
  /** Also verifies the tokens of issuers that the operator trusts; not for the management of accounts. */
  accessTokens: AccessTokens;
  /** Shared by all nodes of the instance. */
  jwtSecret: string;
  apiKeys: ApiKeys;
  /** Content of `keys.json`, with the fixed keys of the Supabase CLI if the instance uses these. */
  file: KeyFile;
  readApiKey: ApiKeyReader;
}

/** Mail and SMS of the instance. */
export interface ServiceMessages {
  outbox: Outbox;
  mailbox: Mailbox;
  /** Set if the provider of SMS creates and checks the codes. */
  checkCode: CodeCheck | undefined;
}

/** The database of the instance. */
export interface ServiceDatabase {
  /** Whether the instance does not own the database: it is not migrated, and `url` is the only login. */
  isForeign: boolean;
  /** Whether other nodes may use it. */
  isShared: boolean;
  /** Returns the URL of a login role. `transport: 'tcp'` avoids an existing Unix socket. */
  urlOf(role: string, transport?: 'tcp'): string;
  /** Connection URL of the owner of the database; undefined if the database is foreign. */
  ownerUrl: string | undefined;
  /** Opens a pool that is logged in as a role. The service closes it. */
  open(role: string, options: PoolOptions): Database;
  /**
   * Subscribes to a channel of NOTIFY, on the one connection that all services share. Subscribers read the current state whenever
   * listening has begun. A service ends its subscriptions when it closes.
   */
  listen: ListenConnection['subscribe'];
  /** The list that pools are added to, which `open` does. */
  pools: PoolList;
  /** Logged in as the owner of the database; undefined if the database is foreign. */
  admin: Database | undefined;
}

/** Options of a pool; `name` is that of the service, for `pg_stat_activity` and logs. */
type PoolOptions = { name: string } & Omit<
  DatabaseOptions,
  'url' | 'applicationName' | 'onIdleError' | 'pools'
>;

/** The project of the instance, as its files are when they are read. */
export interface ServiceProject {
  /** Absolute path of `supabase/`. */
  supabaseFolder: string;
  /** Whether it runs in development (`greenroom dev`): its files then have priority over deployed functions. */
  isInDevelopment: boolean;
  /** Lists the enabled functions. */
  functions(): Promise<readonly ProjectFunction[]>;
  /** Returns the secrets of functions: those of config.toml and of `functions/.env`, which come first. */
  functionSecrets(): Promise<ReadonlyMap<string, string>>;
  /** Calls the listener when config.toml has been read again. */
  onConfigChange(listener: () => void): void;
}

/** The name of the content of an object. The version alone is unique. */
export interface NamedContent {
  bucket: string;
  key: string;
  version: string;
}

/**
 * Content that is copied elsewhere before it may be removed, e.g. into a backup. Methods return at once, because they are
 * called for every write.
 */
export interface ContentCopies {
  /** Records content whose row is about to be committed. */
  written(content: NamedContent): void;
  /** The rows of the content were certainly not committed. */
  discarded(versions: readonly string[]): void;
  /**
   * Returns the part of `names` that may be removed now. Calls `remove` later for the others, when they were copied. If the
   * process ends first, the function that the next one passes to {@link resume} is called.
   */
  removable<Name extends NamedContent>(
    names: readonly Name[],
    remove: (names: Name[]) => Promise<void>,
  ): readonly Name[];
  /** Sets the function that removes content whose removal an earlier process held. Called once, when the service opens. */
  resume(remove: (names: NamedContent[]) => Promise<void>): void;
  /** Whether the removal of this version is held. */
  holds(version: string): boolean;
}

/** The part of the context that exists before the database is open. */
export interface NewDatabaseContext<Config> {
  config: Config;
  /** Returns a path inside the data folder. */
  pathOf(name: string): string;
}

/** The context in which a service is opened. */
export interface ServiceContext<Config> extends NewDatabaseContext<Config> {
  instance: InstanceConfig;
  /** Settings as text, because some may be reloaded. */
  source: ConfigSource;
  log: Logger;
  /** Undefined means that API keys are not required, and only configured keys verify tokens. */
  keys: ServiceKeys | undefined;
  database: ServiceDatabase;
  /** Mail and SMS; undefined if the database is foreign. */
  messages: ServiceMessages | undefined;
  /** The project that the instance runs; undefined without one. */
  project: ServiceProject | undefined;
  /** Copies of the content of objects; undefined if nothing is copied. */
  contentCopies?: ContentCopies | undefined;
}
