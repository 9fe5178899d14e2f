/** The PostgreSQL of an instance: the embedded server, or an external one. */
import { DEFAULT_DATABASE_TIMEOUT_MS } from '@greenroom/config';
import type { DataFolder } from '@greenroom/data-folder';
import type { Logger } from '@greenroom/log';
import {
  acceptsLoopback,
  checkExternalPostgres,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  withSystemSearchPath,
} from '@greenroom/postgres';
import type { Project } from '@greenroom/project';
import { isContinuous } from './backup-slot.ts';
import { findDatabaseTemplate } from './database-template.ts';
import { extensionPlaces } from './extension-places.ts';
import type { InstanceKeys } from './instance-keys.ts';
import type { Config } from './settings.ts';

/** Port of the embedded server if none is configured. */
export const DEFAULT_DATABASE_PORT = 54_322;

/** While the archive of a continuous backup is away, the server keeps its log up to this size. */
const LOG_OF_BACKUPS = { max_slot_wal_keep_size: '4GB' };

/** Options of {@link startPostgres}. */
interface PostgresOptions {
  config: Pick<
    Config,
    | 'databaseUrl'
    | 'databasePort'
    | 'databaseParameters'
    | 'databaseMemoryLimitMb'
    | 'databaseAccess'
    | 'databaseTimeoutMs'
    | 'backup'
  >;
  /** The project that the instance runs. */
  project: Project | undefined;
  folder: DataFolder;
  instanceKeys: InstanceKeys;
  log: Logger;
  onProgress: (line: string) => void;
  beforeNewDatabase: () => Promise<void>;
  /** Chooses the port of the embedded server instead of the configuration. */
  chooseDatabasePort: (() => Promise<number>) | undefined;
  /** Whether the files of the embedded server come from a backup; it runs no command that they name. */
  isRestored: boolean;
  /** Ends the wait for an external server. */
  stopping: AbortSignal | undefined;
  /** Called when the start begins to wait for the server. */
  onWait: (() => void) | undefined;
}

/** Connection URLs of one role. */
interface RoleUrls {
  /** URL for clients, by TCP. */
  url: string;
  /** URL of a Unix socket if one exists, otherwise `url`. */
  localUrl: string;
  /** URL of a TCP connection of Greenroom itself, or `localUrl` if the server could reject it. */
  ownUrl: string;
}

/** A running server. */
export interface RunningPostgres {
  /** Undefined means that the server is external. */
  embedded: EmbeddedPostgres | undefined;
  /** The role that owns the database of the project and applies its migrations. */
  owner: RoleUrls;
  /**
   * The role that migrates the database for Greenroom: the superuser of the embedded server, the owner on an external one.
   */
  admin: RoleUrls;
}

/** Starts the embedded server, or checks the configured external one. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const { databaseUrl, databaseTimeoutMs: timeoutMs } = options.config;
  if (databaseUrl !== undefined) {
    const onWait = (reason: string) =>
      options.onProgress(`waiting up to ${timeoutMs / 1000} s for the database of DATABASE_URL: ${reason}`);
    const waiting = { timeoutMs, onWait, signal: options.stopping };
    const checked = checkExternalPostgres(databaseUrl, waiting);
    options.onWait?.();
    for (const warning of await checked) options.log.warn(warning);
    const owner = { url: databaseUrl, localUrl: databaseUrl, ownUrl: databaseUrl };
    return { embedded: undefined, owner, admin: owner };
  }
  const embedded = await startEmbedded(options);
  const { url, localUrl, ownUrl } = embedded.superuser;
  return {
    embedded,
    owner: embedded,
    admin: {
      url: withSystemSearchPath(url),
      localUrl: withSystemSearchPath(localUrl),
      ownUrl: withSystemSearchPath(ownUrl),
    },
  };
}

function startEmbedded(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { config, folder, instanceKeys, log, onProgress, beforeNewDatabase, chooseDatabasePort } = options;
  const { added, project } = extensionPlaces(folder.path, options.project);
  if (!acceptsLoopback(config.databaseAccess)) {
    onProgress(
      'programs on this machine cannot connect to the database: its allowed ranges exclude 127.0.0.1',
    );
  }
  return startEmbeddedPostgres({
    directory: folder.at('postgres'),
    port: config.databasePort ?? DEFAULT_DATABASE_PORT,
    portIsFixed: config.databasePort !== undefined && config.databasePort !== 0,
    choosePort: chooseDatabasePort,
    password: instanceKeys.file.databasePassword,
    superuserPassword: instanceKeys.file.databaseSuperuserPassword,
    formerPasswords: instanceKeys.formerDatabasePasswords,
    vaultKey: instanceKeys.file.vaultKey,
    userConfiguration: folder.at('postgresql.conf'),
    extensionFolders: [added, ...(project === undefined ? [] : [project])],
    parameters: { ...(isContinuous(config) && LOG_OF_BACKUPS), ...config.databaseParameters },
    isRestored: options.isRestored,
    networkAccess: config.databaseAccess,
    memoryLimitMb: config.databaseMemoryLimitMb,
    startTimeoutMs: startTimeoutOf(config),
    findTemplate: findDatabaseTemplate,
    beforeInitialise: beforeNewDatabase,
    onWait: options.onWait,
    onProgress,
    onLog: (line) => logServerLine(log, line),
  });
}

/** The default does not end a recovery that reports its progress. */
function startTimeoutOf({ databaseTimeoutMs }: PostgresOptions['config']): number | undefined {
  return databaseTimeoutMs === DEFAULT_DATABASE_TIMEOUT_MS ? undefined : databaseTimeoutMs;
}

/** Maps PostgreSQL's severities to log levels. Its routine lines are debug output. */
function logServerLine(log: Logger, line: string): void {
  if (/^(FATAL|PANIC|ERROR):/.test(line)) log.warn({ postgres: line }, 'postgres');
  else if (line.includes('exited unexpectedly')) log.error({ postgres: line }, 'postgres');
  else log.debug({ postgres: line }, 'postgres');
}
