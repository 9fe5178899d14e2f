/** The database of an instance, whether the instance runs or not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUseError, readInstanceRecord } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { choosePort } from '@greenroom/ports';
import type { ProjectToRun } from '@greenroom/project';
import { openInstanceDatabase } from '@greenroom/server';
import type { Config } from '@greenroom/server/settings';

/** Whether the instance was started before, so that a database with a history may exist. */
export function hasDatabase({ databaseUrl, dataDirectory }: Config): boolean {
  return databaseUrl !== undefined || existsSync(join(dataDirectory, 'postgres'));
}

/**
 * Runs `work` with the connection URL of the owner of the database. If the instance does not run, starts its database for
 * this time. Throws `FolderInUseError` while the instance is starting.
 */
export async function withInstanceDatabase<T>(
  { config, project }: { config: Config; project: ProjectToRun | undefined },
  work: (url: string) => Promise<T>,
): Promise<T> {
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
  if (database instanceof FolderInUseError) return work(await urlOfRunning(config, database));
  try {
    return await work(database.postgres.owner.localUrl);
  } finally {
    await database.close();
    await log.flush();
  }
}

/** The configured port may be that of another running instance, and clients do not connect meanwhile. */
function anyFreePort(): Promise<number> {
  return choosePort({ host: '127.0.0.1', port: 0, fixed: true });
}

async function urlOfRunning(config: Config, inUse: FolderInUseError): Promise<string> {
  const record = await readInstanceRecord(config.dataDirectory);
  if (!record?.ready || !record.credentials) throw inUse;
  const { databaseUrl, ownDatabaseUrl = databaseUrl } = record.credentials;
  return ownDatabaseUrl;
}
