/** Results of checks, `checks/<backup id>.json`: the newest one of each backup. */
import { z } from 'zod';
import { isArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { decodeChecked, encodeChecked } from '../checked-json.ts';
import { checkName } from '../layout.ts';

const checkSchema = z.object({
  /** Id of the backup; absent in files of earlier versions. */
  backup: z.string().optional(),
  checkedAt: z.iso.datetime(),
  greenroomVersion: z.string(),
  /** Whether the backup was restored and started, or its blobs were read only. */
  method: z.enum(['restored', 'read']),
  /** Empty if the backup passed. */
  problems: z.array(z.string()),
});

/** Result of the newest check of a backup. */
export type BackupCheck = z.infer<typeof checkSchema>;

/** Writes the result of a check. */
export function writeCheck(
  store: ArchiveStore,
  id: string,
  check: Omit<BackupCheck, 'backup'>,
): Promise<void> {
  return store.put(checkName(id), encodeChecked({ backup: id, ...check }));
}

/**
 * Reads the result of the newest check. A backup without a readable result, or with that of another backup, counts as not
 * checked.
 */
export async function findCheck(store: ArchiveStore, id: string): Promise<BackupCheck | undefined> {
  try {
    const name = checkName(id);
    const check = decodeChecked(`${name} in ${store.location}`, await store.get(name), checkSchema);
    return check.backup === undefined || check.backup === id ? check : undefined;
  } catch (error) {
    if (isArchiveError(error, 'missing') || isArchiveError(error, 'damaged')) return undefined;
    throw error;
  }
}
