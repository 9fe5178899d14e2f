/**
 * Results of checks, `checks/<backup id>.json`: the newest one of each backup. Their seal shows changes to readers with a key.
 */
import { z } from 'zod';
import { isArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { Archive } from '../archive.ts';
import { decodeChecked } from '../checked-json.ts';
import { checkName } from '../layout.ts';
import { encodeSealed, hasSeal } from '../sealed-json.ts';

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
export async function writeCheck(
  archive: Archive,
  id: string,
  check: Omit<BackupCheck, 'backup'>,
): Promise<void> {
  const name = checkName(id);
  await archive.store.put(name, await encodeSealed(archive, name, { backup: id, ...check }));
}

/**
 * Reads the result of the newest check without a key, so without its seal. A backup without a readable result, or with that of
 * another backup, counts as not checked.
 */
export async function findCheck(store: ArchiveStore, id: string): Promise<BackupCheck | undefined> {
  try {
    return decodeCheck(store, id, await store.get(checkName(id)));
  } catch (error) {
    if (isArchiveError(error, 'missing') || isArchiveError(error, 'damaged')) return undefined;
    throw error;
  }
}

/** The result of a check that keys were used for. */
interface OpenedCheck {
  /** Undefined if there is none that is believed. */
  check: BackupCheck | undefined;
  /** Whether a result has no seal: of an earlier version, or of someone without a key. */
  isUnsealed: boolean;
}

/**
 * Reads the result of the newest check with keys that read. One without a seal counts as none. Rejects with kind `damaged` if
 * the seal is wrong.
 */
export async function openCheck(archive: Archive, id: string): Promise<OpenedCheck> {
  const name = checkName(id);
  const bytes = await archive.store.get(name).catch((error: unknown) => {
    if (isArchiveError(error, 'missing')) return undefined;
    throw error;
  });
  if (bytes === undefined) return { check: undefined, isUnsealed: false };
  const check = decodeCheck(archive.store, id, bytes);
  const isSealed = await hasSeal(archive, name, bytes);
  return { check: isSealed ? check : undefined, isUnsealed: !isSealed };
}

/** A result of another backup counts as none. */
function decodeCheck(
  { location }: Pick<ArchiveStore, 'location'>,
  id: string,
  bytes: Uint8Array,
): BackupCheck | undefined {
  const check = decodeChecked(`${checkName(id)} in ${location}`, bytes, checkSchema);
  return check.backup === undefined || check.backup === id ? check : undefined;
}
