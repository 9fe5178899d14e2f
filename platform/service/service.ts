/** What every service is: its settings and migrations, and what opening it provides. */
import type { SettingsContext, SettingsGroup, SettingsTree } from '@greenroom/config';
import type { CorsRules } from '@greenroom/http';
import type { MigrationSource } from '@greenroom/postgres';
import type { FastifyPluginAsync } from 'fastify';
import type { Registry } from 'prom-client';
import type { NewDatabaseContext, ServiceContext } from './context.ts';

/** A service. Its entry module loads the implementation only when the service is opened. */
export interface Service<Name extends string = string, Config = unknown> {
  /** E.g. `auth`, as `--services` and `/health` name it. */
  name: Name;
  settings: SettingsGroup<SettingsTree, SettingsContext, Config>;
  migrations: MigrationSource;
  /** Roles of the database that the service logs in with. */
  roles: readonly string[];
  /**
   * Called before a database is initialised or filled for the first time. Rejects where the service has content that
   * belongs to another database.
   */
  beforeNewDatabase?(context: NewDatabaseContext<Config>): Promise<void>;
  /** Opens the service; nothing of it is left open where it rejects. */
  open(context: ServiceContext<Config>): Promise<OpenService>;
}

/** A service that runs. */
export interface OpenService {
  routes: readonly ServiceRoutes[];
  /** Paths whose WebSocket handshakes are routed as requests are. */
  upgrades: readonly string[];
  /** Checks by the names that `/health` has for them: each resolves when its part is ready. */
  health: Readonly<Record<string, () => Promise<unknown>>>;
  /** Undefined: the service has no metrics besides those of its requests. */
  metrics: Registry | undefined;
  /** Waits for what a start should wait for, such as the first schema cache, but not for ever. Never rejects. */
  untilReady?(): Promise<void>;
  /** Reloads settings and schemas from the database. */
  reload?(): void;
  /** Number of nodes that run this service, itself included; undefined: it cannot be known. */
  nodes?(): number;
  /** Place of content that other nodes cannot reach, e.g. a folder. */
  localContent?: string | undefined;
  close(): Promise<void>;
}

/** Routes below a prefix, behind cross-origin rules and the API key check. */
interface ServiceRoutes {
  /** E.g. `/auth/v1`. */
  prefix: string;
  plugin: FastifyPluginAsync;
  /** Paths below the prefix that need no API key; `*` ends a prefix. */
  openPaths: readonly string[];
  /** Undefined: those of all services. */
  cors?: CorsRules;
}
