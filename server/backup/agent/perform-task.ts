/** Creates or verifies a backup of a running instance. */
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Archive, listBackups, openArchive, openStore, withMaxRate } from '@greenroom/backup';
import { type Config, loadConfig } from '../../settings.ts';
import { configuredSecrets } from '../archive-secrets.ts';
import { checkedText } from '../check-database/check-database.ts';
import { createInstanceBackup } from '../create-instance-backup.ts';
import { openInstanceArchive } from '../open-instance-archive.ts';
import { verifyInstanceBackup } from '../verify-instance-backup.ts';
import type { MaintenanceRequest } from './maintenance-task.ts';

/** Space that a verification leaves free. */
const RESERVE_BYTES = 1024 ** 3;

/** Resolves with a sentence about the result. */
export async function performTask(
  { task, options, archiveId }: MaintenanceRequest,
  signal: AbortSignal,
): Promise<string> {
  const config = loadConfig(options.source);
  const limited = (archive: Archive) => withMaxRate(archive, config.backup.maxRate);
  const secrets = await configuredSecrets(config.backup);
  const store = await openStore(config.backup.url ?? '', config.backup.s3);
  try {
    if (task.kind === 'backup') {
      const archive = await openInstanceArchive(store, secrets, resolve(config.dataDirectory));
      // The log that follows the backup would have other keys.
      if (archive.description.id !== archiveId)
        throw new Error(`${store.location} contains another archive now`);
      const { databaseUrl, ownerUrl } = options;
      const { id, storedBytes } = await createInstanceBackup({
        archive: limited(archive),
        ...{ config, databaseUrl, ownerUrl, signal },
      });
      return `backup ${id} stored ${storedBytes} bytes`;
    }
    const archive = await openArchive(store, { secrets });
    await requireSpace(archive, task.id, config);
    const project = options.project;
    const result = await verifyInstanceBackup({
      archive: limited(archive),
      id: task.id,
      config,
      project,
      onProgress: () => {},
      signal,
    });
    if (result.problems.length > 0)
      throw new Error(`backup ${task.id} cannot be used: ${result.problems.join('; ')}`);
    return `backup ${task.id} is good: ${checkedText(result.checked)} and ${result.objects} objects are right`;
  } finally {
    await store.close();
  }
}

/** A verification must not fill the disk of the database. */
async function requireSpace(archive: Archive, id: string, config: Config): Promise<void> {
  const { backups } = await listBackups(archive.store);
  const bytes = backups.find((backup) => backup.id === id)?.manifest.databaseBytes ?? 0;
  const { bavail, bsize } = await statfs(resolve(config.dataDirectory));
  const needed = bytes + RESERVE_BYTES;
  if (bavail * bsize >= needed) return;
  throw new Error(
    `backup ${id} was not verified, because the disk of the data folder has less than ${needed} bytes free`,
  );
}
