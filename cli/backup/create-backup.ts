/** `greenroom backup`: a complete backup of the instance of a project. */
import { type BackupProgress, listBackups, requireFreeName, withMaxRate } from '@greenroom/backup';
import { collectRarely, createInstanceBackup, lowerPriority } from '@greenroom/server/backup';
import { hasDatabase, withInstanceUrls } from '../instance-database.ts';
import { withAbortSignal } from '../interruption.ts';
import { printLines } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { type ArchiveOptions, openForWriting, withArchivePlace } from './archive-options.ts';
import { readBackedUpInstance } from './backed-up-instance.ts';
import { placeText } from './restored-database.ts';
import { countText, sizeText } from './sizes.ts';

const REPORT_MS = 5000;

/** Options of the command. `maxRate` is in MB per second; undefined is no limit. */
interface BackupOptions extends ArchiveOptions {
  name: string | undefined;
  maxRate: number | undefined;
}

/** Backs up the instance, whether it runs or not, and prints the id of the backup. */
export async function runBackup(
  { name, maxRate = 0, ...options }: BackupOptions,
  project: ProjectOptions,
): Promise<number> {
  const instance = await readBackedUpInstance(project);
  const { config, dataFolder } = instance;
  if (!hasDatabase(config)) throw new Error('the project has no database yet. Create it: greenroom start');
  // Serving goes first.
  lowerPriority();
  collectRarely();
  return withArchivePlace(options, config, async (place) => {
    if (name !== undefined) requireFreeName(await listBackups(place.store), name);
    const archive = withMaxRate(await openForWriting(place, dataFolder), maxRate);
    printLines([`backing up ${placeText(dataFolder, config)} to ${place.store.location}`]);
    const onProgress = createReport();
    // An archive in a file has one complete backup.
    const isContinued = place.store.kind !== 'file';
    const interruption = isContinued
      ? 'interrupted. The next backup continues.'
      : 'interrupted; no file was written.';
    const manifest = await withAbortSignal(interruption, (signal) =>
      withInstanceUrls({ config, project: instance.project }, ({ admin: databaseUrl, owner: ownerUrl }) =>
        createInstanceBackup({ archive, config, databaseUrl, ownerUrl, name, onProgress, signal }),
      ),
    );
    const { id, databaseBytes, contentCount, contentBytes, storedBytes } = manifest;
    printLines([
      `backup ${id}: database ${sizeText(databaseBytes)}, ${countText(contentCount, 'object')} ${sizeText(contentBytes)}; ${sizeText(storedBytes)} were stored`,
      'Check that it can be restored: greenroom backup verify',
    ]);
    return 0;
  });
}

/** Prints a line at the start of each step, and every few seconds. */
function createReport(): (progress: BackupProgress) => void {
  let step: string | undefined;
  let printedAt = 0;
  return (progress) => {
    const isNew = progress.step !== step;
    if (!isNew && performance.now() - printedAt < REPORT_MS) return;
    step = progress.step;
    printedAt = performance.now();
    const { bytes, total } = progress;
    const amount = total === undefined ? sizeText(bytes) : `${sizeText(bytes)} of about ${sizeText(total)}`;
    printLines([isNew ? `  ${step}` : `  ${step}: ${amount}`]);
  };
}
