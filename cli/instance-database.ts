/** The database of an instance, whether the instance runs or not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUseError, readInstanceRecord } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { choosePort } from '@greenroom/ports';
import type { ProjectToRun } from '@greenroom/project';
import { openInstanceDatabase } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';
import { withInterruption } from './interruption.ts';

/** Whether the instance was started before, so that a database with a history may exist. */
export function hasDatabase({ databaseUrl, dataDirectory }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDirectory, 'postgres'));
}

/** An instance, and the project that it runs. */
interface Instance {
  config: Config;
  project: ProjectToRun | undefined;
}

/** Connection URLs of a database. */
interface DatabaseUrls {
  /** The owner of the database of the project. */
  owner: string;
  /** The role that migrates the database: the superuser of the embedded server. */
  admin: string;
}

/**
 * Runs `work` with the connection URL of the owner of the database. If the instance does not run, starts its database for
 * this time; a signal stops it before this rejects. Throws `FolderInUseError` while the instance is starting.
 */
export function withInstanceDatabase<T>(instance: Instance, work: (url: string) => Promise<T>): Promise<T> {
  return withInstanceUrls(instance, ({ owner }) => work(owner));
}

/** Like {@link withInstanceDatabase}, with the URLs of both roles. */
export async function withInstanceUrls<T>(
  instance: Instance,
  work: (urls: DatabaseUrls) => Promise<T>,
): Promise<T> {
  // The server has no terminal, so a signal that only ended this process would leave it behind.
  const outcome = await withInterruption(
    (interrupted) => withStartedDatabase(instance, (urls) => Promise.race([work(urls), interrupted])),
    'interrupted.',
  );
  if (!(outcome instanceof FolderInUseError)) return outcome.result;
  return work(await urlsOfRunning(instance.config, outcome));
}

/** Returns the error about the folder if another process uses it. */
async function withStartedDatabase<T>(
  { config, project }: Instance,
  work: (urls: DatabaseUrls) => Promise<T>,
): Promise<{ result: T } | FolderInUseError> {
  const log = createLogger(config.logLevel);
  const database = await openInstanceDatabase({
    config,
    project,
    log,
    onProgress: () => {},
    chooseDatabasePort: anyFreePort,
  }).catch((error: unknown) => {
    if (error instanceof FolderInUseError) return error;
    throw error;
  });
  if (database instanceof FolderInUseError) return database;
  try {
    const { owner, admin } = database.postgres;
    return { result: await work({ owner: owner.localUrl, admin: admin.localUrl }) };
  } finally {
    await database.close();
    await log.flush();
  }
}

/** The configured port may be that of another running instance, and clients do not connect meanwhile. */
function anyFreePort(): Promise<number> {
  return choosePort({ host: '127.0.0.1', port: 0, fixed: true });
}

async function urlsOfRunning(config: Config, inUse: FolderInUseError): Promise<DatabaseUrls> {
  const record = await readInstanceRecord(config.dataDirectory);
  if (!record?.ready || !record.credentials) throw inUse;
  const {
    databaseUrl,
    ownDatabaseUrl: owner = databaseUrl,
    adminDatabaseUrl: admin = owner,
  } = record.credentials;
  return { owner, admin };
}
