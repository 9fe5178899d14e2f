/** A backup's database next to the data folder, for as long as parts of it are read. */
import { existsSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Archive, type RestorePlan, restoreFiles } from '@greenroom/backup';
import { FolderInUseError, openDataFolder } from '@greenroom/data-folder';
import { createLogger } from '@greenroom/log';
import { choosePort } from '@greenroom/ports';
import { removeLeftOverServer, withSystemSearchPath } from '@greenroom/postgres';
import type { ProjectToRun } from '@greenroom/project';
import { openInstanceDatabase } from '../../instance-database.ts';
import type { Config } from '../../settings.ts';
import { restoreLogicalState } from '../restore-logical-state.ts';

/** Folder of the restored data within the locked folder. */
const DATA = 'data';

/** Options of {@link withScratchDatabase}. */
export interface ScratchOptions {
  archive: Archive;
  plan: RestorePlan;
  /** Exists only meanwhile. */
  folder: string;
  config: Config;
  project: ProjectToRun | undefined;
  onProgress: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Restores the database without content of objects, starts it, and removes it after `work`. Only one process can do this for
 * a folder; files of a killed one are removed before.
 * @param work receives the URL of the owner of the database, without schemas of the project in its search path
 */
export async function withScratchDatabase<T>(
  options: ScratchOptions,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { folder, plan } = options;
  await requireSpace(folder, plan.manifest.databaseBytes + plan.logBytes);
  const locked = await openDataFolder(folder).catch((error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error;
    throw new Error(`another process (${error.pid}) restores a part of a backup in ${folder}.`, {
      cause: error,
    });
  });
  try {
    const data = locked.at(DATA);
    if (existsSync(join(data, 'postgres'))) await removeLeftOverServer(join(data, 'postgres'));
    await rm(data, { recursive: true, force: true });
    return await withDatabaseIn(data, options, work);
  } finally {
    await rm(folder, { recursive: true, force: true });
    locked.release();
  }
}

/** A full disk would stop the live database, which is on the same one. */
async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(folder));
  if (bavail * bsize > bytes) return;
  throw new Error(
    `the database of the backup needs ${bytes} bytes in ${dirname(folder)} while its parts are read, and ${bavail * bsize} are free.`,
  );
}

async function withDatabaseIn<T>(
  data: string,
  { archive, plan, config, project, onProgress, signal }: ScratchOptions,
  work: (url: string) => Promise<T>,
): Promise<T> {
  onProgress('  database');
  const { manifest } = plan;
  const embedded = { ...config, dataDirectory: data, databaseUrl: undefined };
  if (manifest.kind === 'logical')
    await restoreLogicalState({
      archive,
      manifest,
      folder: data,
      config: embedded,
      project,
      onProgress,
      signal,
    });
  else await restoreFiles({ archive, plan, folder: data, onRecovery: recoveryReport(onProgress), signal });
  const log = createLogger(config.logLevel);
  const database = await openInstanceDatabase({
    config: embedded,
    project,
    log,
    onProgress: () => {},
    chooseDatabasePort: () => choosePort({ host: '127.0.0.1', port: 0, fixed: true }),
    isRestored: true,
    stopping: signal,
  });
  try {
    signal.throwIfAborted();
    // As the owner: queries may run functions of the project.
    return await work(withSystemSearchPath(database.postgres.owner.localUrl));
  } finally {
    await database.close();
    await log.flush();
  }
}

/** Reports the beginning of the recovery only. */
function recoveryReport(onProgress: (line: string) => void): () => void {
  let isReported = false;
  return () => {
    if (!isReported) onProgress('  recovery');
    isReported = true;
  };
}
