/** `greenroom backup list`. */
import { basesOf, listBackups, readStoredLogs, restorableRanges } from '@greenroom/backup';
import { loadConfig } from '@greenroom/server/settings';
import { printLines, printMessages } from '../print-lines.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { tableLines } from '../table-lines.ts';
import { withArchivePlace } from './archive-options.ts';
import { secondText, sizeText } from './sizes.ts';

const SECOND_MS = 1000;

/** Prints the backups of an archive, newest first, and the times that can be restored. No passphrase is needed. */
export async function printBackups(
  { where, format }: { where: string | undefined; format: 'pretty' | 'json' },
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const config = await explained(settings, () => loadConfig(settings.source));
  return withArchivePlace({ where }, config, async ({ store }) => {
    const { backups, unreadable } = await listBackups(store);
    for (const { error } of unreadable) printMessages([`warning: ${error.message}`]);
    const restorable = restorableRanges(basesOf(backups, await readStoredLogs(store)));
    if (format === 'json') {
      const newestFirst = backups
        .toReversed()
        .map(({ manifest, check }) => ({ ...manifest, indexes: undefined, check }));
      printLines([JSON.stringify({ backups: newestFirst, restorable }, null, 2)]);
      return unreadable.length > 0 ? 1 : 0;
    }
    if (backups.length === 0) printLines([`${store.location} contains no backup.`]);
    else {
      printLines(
        tableLines([
          ['BACKUP', 'STATE OF', 'DATABASE', 'OBJECTS', 'STORED', 'VERIFIED', 'NAME'],
          ...backups
            .toReversed()
            .map(({ id, manifest, check }) => [
              id,
              secondText(new Date(manifest.stopTime)),
              sizeText(manifest.databaseBytes),
              `${manifest.contentCount}, ${sizeText(manifest.contentBytes)}`,
              sizeText(manifest.storedBytes),
              verifiedText(check),
              manifest.name ?? '',
            ]),
        ]),
      );
      printLines(rangeLines(restorable));
    }
    return unreadable.length > 0 ? 1 : 0;
  });
}

/** Returns a line for each range that contains a whole second. */
function rangeLines(ranges: readonly { from: Date; to: Date }[]): string[] {
  return ranges.flatMap(({ from, to }) => {
    const first = new Date(Math.ceil(from.getTime() / SECOND_MS) * SECOND_MS);
    if (first > to) return [];
    return [`any second from ${secondText(first)} to ${secondText(to)} (UTC) can be restored`];
  });
}

function verifiedText(check: { checkedAt: string; problems: readonly string[] } | undefined): string {
  if (check === undefined) return 'not yet';
  const day = check.checkedAt.slice(0, 10);
  return check.problems.length === 0 ? day : `${day}: cannot be used`;
}
