/**
 * The database of an instance with all migrations: data folder, keys and PostgreSQL, opened in this order and closed in
 * the reverse order.
 */
import { type DataFolder, openDataFolder } from '@greenroom/data-folder';
import type { Logger } from '@greenroom/log';
import { ensureRoleLogins, migrate } from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import { type InstanceKeys, loadOrCreateKeys } from './instance-keys.ts';
import { MIGRATIONS } from './migrations.ts';
import { requireKeysOfDatabase, requireNewInstance } from './new-instance.ts';
import { type RunningPostgres, startPostgres } from './postgres.ts';
import { services } from './services.ts';
import type { Config } from './settings.ts';
import { finishReset } from './swap-clusters.ts';

/** An open database. */
interface InstanceDatabase {
  folder: DataFolder;
  keys: InstanceKeys;
  postgres: RunningPostgres;
  /** Closes every part, even if closing others fails. */
  close(): Promise<void>;
}

/** Options of {@link openInstanceDatabase}. */
export interface DatabaseOptions {
  config: Config;
  /** The project that the instance runs, with its extensions. */
  project?: ProjectToRun | undefined;
  log: Logger;
  /** Receives progress messages for the user. */
  onProgress: (line: string) => void;
  /** Chooses the port of the embedded database. Default: the configured one, or the next free one if it is unset. */
  chooseDatabasePort?: (() => Promise<number>) | undefined;
  /** Whether the data folder comes from a backup; PostgreSQL runs no command that its settings name. Default: false. */
  isRestored?: boolean;
  /** Ends the wait for an external database; opening then rejects. */
  stopping?: AbortSignal | undefined;
  /** Called when the start begins to wait for the database, so that the caller can use the time. */
  onWait?: (() => void) | undefined;
}

/** Opens all parts; if one fails, those opened before are closed again. Throws `FolderInUseError`. */
export async function openInstanceDatabase(options: DatabaseOptions): Promise<InstanceDatabase> {
  const { config, log, onProgress, chooseDatabasePort, isRestored = false, stopping, onWait } = options;
  await using opened = new AsyncDisposableStack();
  const folder = await openDataFolder(config.dataDirectory);
  opened.defer(() => folder.release());
  await finishReset(folder);
  await requireKeysOfDatabase({ config, folder });
  const keys = await loadOrCreateKeys(folder.at('keys.json'), config);
  const beforeNewDatabase = () => requireNewInstance({ config, folder });
  const { project } = options.project ?? {};
  const sources = { config, project, folder, instanceKeys: keys, log, onProgress, beforeNewDatabase };
  const postgres = await startPostgres({ ...sources, chooseDatabasePort, isRestored, stopping, onWait });
  opened.defer(() => postgres.embedded?.stop());
  const isNew = postgres.embedded?.isNew ?? false;
  await prepareDatabase(postgres.admin.localUrl, {
    secret: keys.derivationSecret,
    isNew,
    onProgress,
    beforeNewDatabase,
  });
  const resources = opened.move();
  return { folder, keys, postgres, close: () => resources.disposeAsync() };
}

/** Options of {@link prepareDatabase}. */
interface Preparation {
  secret: string;
  /** Whether the database was created by this start. */
  isNew: boolean;
  onProgress: (line: string) => void;
  beforeNewDatabase?: () => Promise<void>;
}

/** Applies the migrations of all services to the database of `url`, and lets the roles of services log in. */
export async function prepareDatabase(url: string, options: Preparation): Promise<void> {
  const { secret, isNew, onProgress, beforeNewDatabase } = options;
  const applied = await migrate(url, MIGRATIONS, {
    ...(beforeNewDatabase && { beforeFirst: beforeNewDatabase }),
    onSlow: (name) => onProgress(`applying migration ${name}, which takes longer on large tables`),
  });
  if (applied.length > 0) onProgress(`applied ${applied.length} migration${applied.length > 1 ? 's' : ''}`);
  const hasNewRoles = isNew || applied.includes('platform/0001_platform');
  const roles = new Set(services.flatMap((service) => service.roles));
  await ensureRoleLogins([...roles], { adminUrl: url, secret, isNew: hasNewRoles });
}
