/** Secrets of archives, in files. */
import { readFile, stat } from 'node:fs/promises';
import type { ArchiveSecrets } from '@greenroom/backup';
import type { BackupConfig } from '@greenroom/backup/settings';
import { shellWord } from '@greenroom/config';

/** A file of some editors begins with it, see `@greenroom/backup`. */
const BYTE_ORDER_MARK = '\u{FEFF}';
/** Permission bits of the group and of others. */
const OF_OTHERS = 0o077;

/** Returns the first line of a file that only its owner may read. */
export async function readSecretFile(path: string): Promise<string> {
  const { mode } = await stat(path).catch((error: Error) => {
    throw new Error(`${path} cannot be read: ${error.message}`, { cause: error });
  });
  if ((mode & OF_OTHERS) !== 0)
    throw new Error(`other users can read ${path}. Allow only its owner to: chmod 600 ${shellWord(path)}`);
  const [line = ''] = (await readFile(path, 'utf8')).split(/\r?\n/, 1);
  if (line === '' || line === BYTE_ORDER_MARK) throw new Error(`the first line of ${path} is empty.`);
  return line;
}

/** Returns the secrets that the settings name. They decide whether an archive is encrypted, never the archive itself. */
export async function configuredSecrets({
  passphraseFile,
  recipient,
  noEncryption,
}: Pick<BackupConfig, 'passphraseFile' | 'recipient' | 'noEncryption'>): Promise<ArchiveSecrets> {
  return { passphrase: passphraseFile && (await readSecretFile(passphraseFile)), recipient, noEncryption };
}
