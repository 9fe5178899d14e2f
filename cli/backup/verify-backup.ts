/** `greenroom backup verify`: restores a backup into a folder that is removed afterwards. */
import { printable } from '@greenroom/log/printable';
import { checkedText, collectRarely, verifyInstanceBackup } from '@greenroom/server/backup';
import { withAbortSignal } from '../interruption.ts';
import { printLines, printMessages } from '../print-lines.ts';
import type { ProjectOptions } from '../settings.ts';
import { type ArchiveOptions, openForReading, withArchivePlace } from './archive-options.ts';
import { readBackedUpInstance } from './backed-up-instance.ts';
import { chooseBackup } from './choose-backup.ts';
import { countText } from './sizes.ts';

/** Restores, starts and checks a backup, and records the result in the archive. Returns 1 if it has problems. */
export async function verifyBackup(
  options: ArchiveOptions & { backup: string | undefined },
  project: ProjectOptions,
): Promise<number> {
  const { config, project: toRun } = await readBackedUpInstance(project);
  collectRarely();
  return withArchivePlace(options, config, async (place) => {
    const archive = await openForReading(place);
    const { id } = await chooseBackup(archive, options.backup);
    printLines([`verifying backup ${id} of ${place.store.location}`]);
    const onProgress = (line: string) => printLines([printable(line)]);
    const { problems, checked, objects } = await withAbortSignal('interrupted.', (signal) =>
      verifyInstanceBackup({ archive, id, config, project: toRun, onProgress, signal }),
    );
    if (problems.length > 0) {
      printMessages([`backup ${id} cannot be used:`, ...problems.map((text) => `  ${printable(text)}`)]);
      return 1;
    }
    printLines([
      `backup ${id} is good: PostgreSQL started; ${checkedText(checked)} and the hashes of ${countText(objects, 'object')} are right`,
    ]);
    return 0;
  });
}
