import { type Archive, listBackups, type Manifest } from '@greenroom/backup';
import { printMessages } from '../print-lines.ts';

/** Returns a backup of an archive, by default the newest. Throws a message with the ids that exist. */
export async function chooseBackup(
  archive: Archive,
  id: string | undefined,
): Promise<{ id: string; manifest: Manifest }> {
  const { backups, unreadable } = await listBackups(archive.store, { archive });
  if (id === undefined) printMessages(unreadable.map(({ error }) => `warning: ${error.message}`));
  const found = id === undefined ? backups.at(-1) : backups.find((backup) => backup.id === id);
  if (found !== undefined) return found;
  const broken = unreadable.find((backup) => backup.id === id);
  if (broken !== undefined) throw broken.error;
  const place = archive.store.location;
  if (backups.length === 0) throw new Error(`${place} contains no complete backup.`);
  throw new Error(`${place} has no backup ${id}. It has: ${backups.map((backup) => backup.id).join(', ')}`);
}
