/**
 * Prepares a new cluster in a folder next to the current one, which it then replaces. If that fails, nothing changes.
 */
import { existsSync } from 'node:fs';
import { type DataFolder, openDataFolder } from '@greenroom/data-folder';
import type { Logger } from '@greenroom/log';
import {
  type EmbeddedPostgres,
  openSession,
  startEmbeddedPostgres,
  withSystemSearchPath,
} from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import { findDatabaseTemplate } from './database-template.ts';
import { extensionPlaces } from './extension-places.ts';
import { prepareDatabase } from './instance-database.ts';
import { loadOrCreateKeys } from './instance-keys.ts';
import type { Config } from './settings.ts';
import { finishReset, NEXT_CLUSTER, removeCluster, swapClusters } from './swap-clusters.ts';

/** Options of {@link withNewCluster}. */
export interface NewClusterOptions {
  config: Config;
  toRun: ProjectToRun;
  log: Logger;
  onProgress: (line: string) => void;
  /** Checks the folder before anything is created in it. */
  beforeNewCluster?: (folder: DataFolder) => Promise<void>;
}

/** The database of the instance is not Greenroom's own. */
class ExternalDatabaseError extends Error {
  override readonly name = 'ExternalDatabaseError';
}

/** Throws if the instance uses an external database, which a command cannot replace. */
export function requireEmbeddedDatabase(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  command = 'db reset',
): void {
  if (databaseUrl === undefined) return;
  throw new ExternalDatabaseError(
    `${command} replaces the embedded database, but DATABASE_URL is set. Create an empty database there, and start on it.`,
  );
}

/**
 * Creates a cluster with the migrations of all services, lets `fill` complete it, and replaces the current one.
 * Keys and the id of the instance stay; content of the store without rows is left to the sweep of storage. Throws
 * `FolderInUseError` while the instance runs, and the errors of `fill`.
 */
export async function withNewCluster(
  options: NewClusterOptions,
  fill: (postgres: EmbeddedPostgres) => Promise<void>,
): Promise<void> {
  const { config, beforeNewCluster } = options;
  const folder = await openDataFolder(config.dataDirectory);
  try {
    await finishReset(folder);
    await beforeNewCluster?.(folder);
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
    await withCluster(next, async (postgres) => {
      await prepare(postgres, { options, secret: keys.derivationSecret, id });
      await fill(postgres);
    }).catch(async (error: unknown) => {
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
  options: NewClusterOptions;
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

interface Preparation {
  options: NewClusterOptions;
  /** The passwords of the roles of services depend on it. */
  secret: string;
  id: InstanceId | undefined;
}

async function prepare(postgres: EmbeddedPostgres, { options, secret, id }: Preparation): Promise<void> {
  const url = withSystemSearchPath(postgres.superuser.localUrl);
  await prepareDatabase(url, { secret, isNew: true, onProgress: options.onProgress });
  if (id) await writeId(url, id);
}

async function writeId(url: string, { id, is_from_before_ids }: InstanceId): Promise<void> {
  const session = await openSession({ url, applicationName: 'greenroom reset' });
  const text = 'update greenroom.instance set id = $1, is_from_before_ids = $2';
  await session.batch([{ text, values: [id, is_from_before_ids] }]).finally(() => session.close());
}
