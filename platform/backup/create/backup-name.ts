/** Names that operators give to backups. */
import type { ListedArchive } from '../archive/backups/backups.ts';
import { BACKUP_NAME } from '../archive/layout.ts';
import { ArchiveError } from '../errors.ts';

/** Throws kind `refused` if a text is not a name. */
function requireBackupName(name: string): void {
  if (BACKUP_NAME.test(name)) return;
  throw new ArchiveError(
    'refused',
    `${JSON.stringify(name)} is not a name of a backup: use up to 63 letters, digits and . _ -, beginning with a letter or digit`,
  );
}

/** Throws kind `refused` if a text is not a name, or a backup of the archive has it. */
export function requireFreeName({ location, backups }: ListedArchive, name: string): void {
  requireBackupName(name);
  const other = backups.find(({ manifest }) => manifest.name === name);
  if (other !== undefined)
    throw new ArchiveError(
      'refused',
      `backup ${other.id} of ${location} has the name ${name} already: choose another one`,
    );
}
