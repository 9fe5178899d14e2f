/** Opens the archive that an instance writes. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { type Archive, type ArchiveSecrets, type ArchiveStore, openOrCreateArchive } from '@greenroom/backup';
import { loadKeyFile } from '@greenroom/keys';
import { VERSION } from '../version.ts';

const KEY_FILE = 'keys.json';
const PURPOSE = 'greenroom-backup-chunk-names';

/**
 * Opens an archive, or creates it. In an archive for a recipient, the names of chunks depend on the keys of the instance, so
 * that only the instance can test whether the archive contains a known piece. Rejects with an `ArchiveError`.
 */
export async function openInstanceArchive(
  store: ArchiveStore,
  secrets: ArchiveSecrets,
  dataFolder: string,
): Promise<Archive> {
  const keys = await loadKeyFile(join(dataFolder, KEY_FILE));
  const chunkSecret = keys && createHmac('sha256', keys.jwtSecret).update(PURPOSE).digest();
  return openOrCreateArchive(store, { secrets, chunkSecret, greenroomVersion: VERSION });
}
