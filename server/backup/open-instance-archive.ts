/** Opens the archive that an instance writes. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import {
  type Archive,
  type ArchiveSecrets,
  type ArchiveStore,
  openOrCreateArchive,
  requireOutside,
} from '@greenroom/backup';
import { loadKeyFile } from '@greenroom/keys';
import { VERSION } from '../version.ts';

const KEY_FILE = 'keys.json';
const PURPOSE = 'greenroom-backup-chunk-names';
/** Folders that may be links to other disks. */
const PARTS = ['postgres', 'storage', 'extensions'];

/** Rejects with an `ArchiveError` if a backup of the instance would contain its archive. */
export function requireUsablePlace(store: ArchiveStore, dataFolder: string): Promise<void> {
  return requireOutside(store, [dataFolder, ...PARTS.map((part) => join(dataFolder, part))]);
}

/**
 * Opens an archive, or creates it. In an archive for a recipient, the names of chunks depend on the keys of the instance, so
 * that only the instance can test whether the archive contains a known piece. Rejects with an `ArchiveError`.
 */
export async function openInstanceArchive(
  store: ArchiveStore,
  secrets: ArchiveSecrets,
  dataFolder: string,
): Promise<Archive> {
  await requireUsablePlace(store, dataFolder);
  const keys = await loadKeyFile(join(dataFolder, KEY_FILE));
  const chunkSecret = keys && createHmac('sha256', keys.jwtSecret).update(PURPOSE).digest();
  return openOrCreateArchive(store, { secrets, chunkSecret, greenroomVersion: VERSION });
}
