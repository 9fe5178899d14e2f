/** `greenroom backup check`: reads an archive without restoring it. */
import { hostname } from 'node:os';
import { checkArchive, removeDamagedChunks } from '@greenroom/backup';
import { loadConfig } from '@greenroom/server/settings';
import { printLines, printMessages } from '../print-lines.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { type ArchiveOptions, openForReading, withArchivePlace } from './archive-options.ts';
import { countText, sizeText } from './sizes.ts';

/** Prints each damage with the backups that it affects. Returns 1 if there is one that was not repaired. */
export async function checkBackups(
  { isRepair, ...options }: ArchiveOptions & { isRepair: boolean },
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const config = await explained(settings, () => loadConfig(settings.source));
  return withArchivePlace(options, config, async (place) => {
    const { store } = place;
    const report = await checkArchive(store, await openForReading(place));
    const { backups, checkedChunks, checkedBytes, damages, unsealed } = report;
    const read = `read ${countText(backups.length, 'backup')}: ${countText(checkedChunks, 'chunk')}, ${sizeText(checkedBytes)}`;
    printLines([damages.length === 0 ? `${read}; nothing is damaged` : read]);
    printLines(unsealed.map((name) => `${name} has no seal, so restores do not rely on it`));
    if (damages.length === 0) return 0;
    for (const { message, backups: affected } of damages)
      printMessages([message, ...affected.map((id) => `  backup ${id} cannot be restored`)]);
    if (isRepair) {
      const holder = `process ${process.pid} of ${hostname()}`;
      const removed = await removeDamagedChunks(store, report, { holder });
      printLines([
        `removed ${countText(removed, 'damaged chunk')}. The next backup stores their content again.`,
      ]);
    }
    return 1;
  });
}
