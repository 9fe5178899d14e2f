/** The contract of a service: its settings and migrations, and its parts when it is open. */
import type { Socket } from 'node:net';
import type { SettingsContext, SettingsGroup, SettingsTree } from '@greenroom/config';
import type { CorsRules } from '@greenroom/http';
import type { MigrationSource } from '@greenroom/postgres';
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import type { NewDatabaseContext, ServiceContext } from './context.ts';

/** A service. Its entry module loads the implementation only when the service is opened. */
export interface Service<Name extends string = string, Config = unknown> {
  /** E.g. `auth`; used by `--services` and `/health`. */
  name: Name;
  settings: SettingsGroup<SettingsTree, SettingsContext, Config>;
  /** Undefined means that the service has no objects in the database. */
  migrations?: MigrationSource;
  /** Database roles that the service logs in with. */
  roles: readonly string[];
  /**
   * Called before a database is initialised or filled for the first time. Rejects if the service has content that
   * belongs to another database.
   */
  beforeNewDatabase?(context: NewDatabaseContext<Config>): Promise<void>;
  /** Loads the implementation. A server calls it early, so that the code is loaded while the database starts. */
  load(): Promise<unknown>;
  /** Opens the service. If it rejects, all its resources have been released. */
  open(context: ServiceContext<Config>): Promise<OpenService<Config>>;
}

/** A running service. */
export interface OpenService<Config = unknown> {
  routes: readonly ServiceRoutes[];
  /** Paths whose WebSocket handshakes are routed like requests. */
  upgrades: readonly string[];
  /** Health checks by their names in `/health`: each resolves when its part is ready. */
  health: Readonly<Record<string, () => Promise<unknown>>>;
  /** Undefined means that the service has no metrics except for those of its requests. */
  metrics: Registry | undefined;
  /** Waits a limited time for work that a start depends on, such as loading the first schema cache. Never rejects. */
  waitUntilReady?(): Promise<void>;
  /** Called when the server accepts requests. Work in the background begins now, so that it does not delay the start. */
  onStarted?(): void;
  /** Reloads settings and schemas from the database. */
  reload?(): void;
  /**
   * Prepares new values of the settings that are declared as reloadable. Rejects with `ConfigError`; then the former values
   * stay. Undefined if there is none.
   */
  prepareSettings?(next: NewSettings<Config>): Promise<PreparedSettings>;
  /** Returns the number of nodes that run this service, including this one; undefined if it cannot be determined. */
  nodes?(): number;
  /** Whether a connection that the server accepted comes from code of users that the service runs. Undefined: it runs none. */
  isFromOwnCode?: (connection: Socket) => boolean;
  /** Place of content that other nodes cannot reach, e.g. a folder. */
  localContent?: string | undefined;
  close(): Promise<void>;
}

/** The settings of a service, in which those that are not reloadable have their former values. */
type NewSettings<Config> = Pick<ServiceContext<Config>, 'config' | 'source'>;

/** New settings that are ready to apply. One of both functions is called; neither fails. */
export interface PreparedSettings {
  apply(): void;
  /** Releases the prepared resources, because another part of the instance rejected the settings. */
  discard?(): void;
}

/** Routes below a prefix, behind cross-origin rules and the API key check. */
interface ServiceRoutes {
  /** E.g. `/auth/v1`. */
  prefix: string;
  plugin: FastifyPluginAsync;
  /** Paths below the prefix that need no API key; a `*` at the end matches any suffix. */
  openPaths: readonly string[];
  /** Undefined means the rules of all services. */
  cors?: CorsRules;
}
