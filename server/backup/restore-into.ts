/** Restores a state into a new data folder, and checks it. */
import { rm } from 'node:fs/promises';
import {
  type Archive,
  type ContentTarget,
  type Manifest,
  type RecoveryProgress,
  type RestorePlan,
  restoreFiles,
} from '@greenroom/backup';
import { createLogger } from '@greenroom/log';
import { choosePort } from '@greenroom/ports';
import type { ProjectToRun } from '@greenroom/project';
import { openInstanceDatabase } from '../instance-database.ts';
import type { Config } from '../settings.ts';
import { type CheckedParts, checkDatabase } from './check-database/check-database.ts';
import { restoreLogicalState } from './restore-logical-state.ts';
import { type RestoredObjects, restoreObjects } from './restore-objects.ts';

/** Options of {@link restoreInto}. */
interface RestoreIntoOptions {
  archive: Archive;
  plan: RestorePlan;
  /** The new data folder. A folder that an interrupted restore has left here is removed. */
  folder: string;
  config: Config;
  project: ProjectToRun | undefined;
  /** Opens the store that receives the content. */
  openTarget: (config: Config, folder: string) => Promise<ContentTarget & { close(): Promise<void> }>;
  onProgress: (line: string) => void;
  /** Called while the log is applied. */
  onRecovery?: (progress: RecoveryProgress) => void;
  signal: AbortSignal;
}

/** A restored folder. */
interface Restored {
  manifest: Manifest;
  objects: RestoredObjects;
  checked: CheckedParts;
  /** Empty if the database passed its checks. */
  problems: string[];
}

/** Restores everything; the folder is removed if that fails. */
export async function restoreInto(options: RestoreIntoOptions): Promise<Restored> {
  const { archive, plan, folder, signal, onProgress } = options;
  await rm(folder, { recursive: true, force: true });
  let isRecovering = false;
  try {
    onProgress('  database');
    const { manifest } = plan;
    const onRecovery = (progress: RecoveryProgress) => {
      if (progress.bytes > 0) options.onRecovery?.(progress);
      else if (!isRecovering) onProgress('  recovery');
      isRecovering = true;
    };
    if (manifest.kind === 'logical') await restoreLogicalState({ ...options, manifest });
    else await restoreFiles({ archive, plan: { ...plan, manifest }, folder, onRecovery, signal });
    const completed = completeDatabase(options, manifest).catch((error: Error) => {
      if (options.config.databaseUrl === undefined) throw error;
      throw new Error(
        `${error.message}\nThe database of DATABASE_URL has been restored, so the next restore needs another empty database.`,
        { cause: error },
      );
    });
    return { manifest, ...(await completed) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Starts the restored database for the content of objects and for its checks. */
async function completeDatabase(
  options: RestoreIntoOptions,
  manifest: Manifest,
): Promise<Omit<Restored, 'manifest'>> {
  const { archive, plan, folder, config, project, openTarget, onProgress, signal } = options;
  const log = createLogger(config.logLevel);
  const database = await openInstanceDatabase({
    config: { ...config, dataDirectory: folder },
    project,
    log,
    onProgress: (line) => onProgress(`  ${line}`),
    chooseDatabasePort: () => choosePort({ host: '127.0.0.1', port: 0, fixed: true }),
    isRestored: true,
    stopping: signal,
  });
  try {
    const { owner, admin } = database.postgres;
    onProgress('  content');
    const target = await openTarget(config, folder);
    const allowsNewer = plan.target.kind === 'own';
    const url = owner.localUrl;
    const objects = await restoreObjects({ archive, manifest, allowsNewer, url, target, signal }).finally(
      () => target.close(),
    );
    onProgress('  checks');
    const urls = { admin: admin.localUrl, owner: owner.localUrl };
    const { problems, unchecked, ...checked } = await checkDatabase({ urls, signal });
    for (const reason of unchecked) onProgress(`  not checked: ${reason}`);
    return { objects, checked, problems };
  } finally {
    await database.close();
    await log.flush();
  }
}
