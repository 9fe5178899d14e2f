/** Replaces the database of an instance by a new one with the migrations and seeds of its project. */
import { existsSync } from 'node:fs';
import { openDataFolder } from '@greenroom/data-folder';
import type { Logger } from '@greenroom/log';
import {
  type EmbeddedPostgres,
  openSession,
  startEmbeddedPostgres,
  withSystemSearchPath,
} from '@greenroom/postgres';
import { type ProjectToRun, setUpProject } from '@greenroom/project';
import { findDatabaseTemplate } from './database-template.ts';
import { extensionPlaces } from './extension-places.ts';
import { prepareDatabase } from './instance-database.ts';
import { loadOrCreateKeys } from './instance-keys.ts';
import type { Config } from './settings.ts';
import { finishReset, NEXT_CLUSTER, removeCluster, swapClusters } from './swap-clusters.ts';

/** Options of {@link resetDatabase}. */
interface ResetOptions {
  config: Config;
  toRun: ProjectToRun;
  /** Version of the last migration to apply; an empty text: none. Default: all are applied. */
  lastVersion?: string | undefined;
  log: Logger;
  onProgress: (line: string) => void;
}

/** The database of the instance is not Greenroom's own. */
class ExternalDatabaseError extends Error {
  override readonly name = 'ExternalDatabaseError';
}

/** Throws if the instance uses an external database, which cannot be reset. */
export function requireEmbeddedDatabase({ databaseUrl }: Pick<Config, 'databaseUrl'>): void {
  if (databaseUrl === undefined) return;
  throw new ExternalDatabaseError(
    'db reset replaces the embedded database, but DATABASE_URL is set. Create an empty database there, and start on it.',
  );
}

/**
 * Prepares the new database in a folder next to the current one and then replaces it: if a migration or a seed fails, nothing changes.
 * Keys and the id of the instance stay; content of the store without rows is left to the sweep of storage. Throws
 * `FolderInUseError` while the instance runs, and the errors of `setUpProject`.
 */
export async function resetDatabase(options: ResetOptions): Promise<void> {
  const { config } = options;
  requireEmbeddedDatabase(config);
  const folder = await openDataFolder(config.dataDirectory);
  try {
    await finishReset(folder);
    const keys = await loadOrCreateKeys(folder.at('keys.json'), config);
    const { added, project } = extensionPlaces(folder.path, options.toRun.project);
    const clusters = {
      extensionFolders: [added, ...(project === undefined ? [] : [project])],
      parameters: config.databaseParameters,
      userConfiguration: folder.at('postgresql.conf'),
      password: keys.file.databasePassword,
      superuserPassword: keys.file.databaseSuperuserPassword,
      formerPasswords: keys.formerDatabasePasswords,
      vaultKey: keys.file.vaultKey,
      options,
    };
    const id = existsSync(folder.at('postgres'))
      ? await withCluster({ ...clusters, directory: folder.at('postgres') }, readId)
      : undefined;
    const next = { ...clusters, directory: folder.at(NEXT_CLUSTER) };
    await withCluster(next, (postgres) =>
      fill(postgres, { options, secret: keys.derivationSecret, id }),
    ).catch(async (error: unknown) => {
      await removeCluster(folder.at(NEXT_CLUSTER));
      throw error;
    });
    await swapClusters(folder);
  } finally {
    folder.release();
  }
}

interface Cluster {
  directory: string;
  userConfiguration: string;
  extensionFolders: readonly string[];
  parameters: Config['databaseParameters'];
  password: string;
  superuserPassword: string;
  formerPasswords: readonly string[];
  vaultKey: string;
  options: ResetOptions;
}

async function withCluster<T>(
  cluster: Cluster,
  work: (postgres: EmbeddedPostgres) => Promise<T>,
): Promise<T> {
  const { options, ...where } = cluster;
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({
    ...where,
    port: 0,
    portIsFixed: false,
    memoryLimitMb: options.config.databaseMemoryLimitMb,
    findTemplate: findDatabaseTemplate,
    onProgress: options.onProgress,
    onLog: (line) => options.log.debug({ postgres: line }, 'postgres'),
  });
  try {
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

/** The identity that a database shares with its store, see `0003_instance.sql`. */
interface InstanceId {
  id: string | null;
  is_from_before_ids: boolean;
}

/** Returns undefined for a database that was never completed. */
async function readId({ superuser }: EmbeddedPostgres): Promise<InstanceId | undefined> {
  const session = await openSession({ url: superuser.localUrl, applicationName: 'greenroom reset' });
  try {
    const [[found] = []] = await session.batch([
      { text: `select to_regclass('greenroom.instance') is not null as exists` },
    ]);
    if (!found?.exists) return undefined;
    const [[row] = []] = await session.batch([
      { text: 'select id, is_from_before_ids from greenroom.instance' },
    ]);
    return row as InstanceId | undefined;
  } finally {
    await session.close();
  }
}

interface Filling {
  options: ResetOptions;
  /** The passwords of the roles of services depend on it. */
  secret: string;
  id: InstanceId | undefined;
}

async function fill(postgres: EmbeddedPostgres, { options, secret, id }: Filling): Promise<void> {
  const { toRun, lastVersion, onProgress } = options;
  const url = withSystemSearchPath(postgres.superuser.localUrl);
  await prepareDatabase(url, { secret, isNew: true, onProgress });
  if (id) await writeId(url, id);
  await setUpProject({ url: postgres.localUrl, ...toRun, lastVersion, onProgress });
}

async function writeId(url: string, { id, is_from_before_ids }: InstanceId): Promise<void> {
  const session = await openSession({ url, applicationName: 'greenroom reset' });
  const text = 'update greenroom.instance set id = $1, is_from_before_ids = $2';
  await session.batch([{ text, values: [id, is_from_before_ids] }]).finally(() => session.close());
}
