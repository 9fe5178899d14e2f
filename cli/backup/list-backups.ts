/** `greenroom backup list`. */
import { listBackups } from '@greenroom/backup';
import { loadConfig } from '@greenroom/server/settings';
import { printLines } from '../print-lines.ts';
import { explained, type ProjectOptions, readSettings } from '../settings.ts';
import { tableLines } from '../table-lines.ts';
import { withArchivePlace } from './archive-options.ts';
import { sizeText } from './sizes.ts';

/** Prints the backups of an archive, newest first. No passphrase is needed. */
export async function printBackups(
  { where, format }: { where: string | undefined; format: 'pretty' | 'json' },
  project: ProjectOptions,
): Promise<number> {
  const settings = await readSettings(project);
  const config = await explained(settings, () => loadConfig(settings.source));
  return withArchivePlace({ where }, config, async ({ store }) => {
    const { backups, unreadable } = await listBackups(store);
    for (const { error } of unreadable) process.stderr.write(`warning: ${error.message}\n`);
    if (format === 'json') {
      printLines([
        JSON.stringify(
          backups.toReversed().map(({ manifest, check }) => ({ ...manifest, indexes: undefined, check })),
          null,
          2,
        ),
      ]);
      return unreadable.length > 0 ? 1 : 0;
    }
    if (backups.length === 0) printLines([`${store.location} contains no backup.`]);
    else {
      printLines(
        tableLines([
          ['BACKUP', 'STATE OF', 'DATABASE', 'OBJECTS', 'STORED', 'VERIFIED'],
          ...backups
            .toReversed()
            .map(({ id, manifest, check }) => [
              id,
              manifest.stopTime.slice(0, 19).replace('T', ' '),
              sizeText(manifest.databaseBytes),
              `${manifest.contentCount}, ${sizeText(manifest.contentBytes)}`,
              sizeText(manifest.storedBytes),
              verifiedText(check),
            ]),
        ]),
      );
    }
    return unreadable.length > 0 ? 1 : 0;
  });
}

function verifiedText(check: { checkedAt: string; problems: readonly string[] } | undefined): string {
  if (check === undefined) return 'not yet';
  const day = check.checkedAt.slice(0, 10);
  return check.problems.length === 0 ? day : `${day}: cannot be used`;
}
