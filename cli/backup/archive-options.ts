/** Options of commands that use an archive. */
import { type ArchiveSecrets, type ArchiveStore, openStore } from '@greenroom/backup';
import { readSecretFile } from '@greenroom/server/backup';
import type { Config } from '@greenroom/server/settings';

/** Values of the options. */
export interface ArchiveOptions {
  /** The argument. Default: `GREENROOM_BACKUP_URL`. */
  where: string | undefined;
  passphraseFile?: string | undefined;
  recipient?: string | undefined;
  identityFile?: string | undefined;
  noEncryption?: boolean;
}

/** An archive's place, and the secrets for it. */
interface ArchivePlace {
  store: ArchiveStore;
  secrets: ArchiveSecrets;
}

/** Runs `work` with the place of an archive, and closes it afterwards. */
export async function withArchivePlace<T>(
  options: ArchiveOptions,
  { backup }: Pick<Config, 'backup'>,
  work: (place: ArchivePlace) => Promise<T>,
): Promise<T> {
  const where = options.where ?? backup.url;
  if (where === undefined || where === '')
    throw new Error(
      'name the place of the backups, e.g. /backups or s3://bucket/prefix, or set GREENROOM_BACKUP_URL.',
    );
  const secrets = await secretsOf(options, backup);
  const store = await openStore(where, backup.s3);
  return work({ store, secrets }).finally(() => store.close());
}

/** An option of the command line excludes the settings, because an archive has one kind of encryption. */
async function secretsOf(options: ArchiveOptions, backup: Config['backup']): Promise<ArchiveSecrets> {
  const { noEncryption = false, identityFile } = options;
  const hasOption = noEncryption || [options.passphraseFile, options.recipient, identityFile].some(Boolean);
  const passphraseFile = options.passphraseFile ?? (hasOption ? undefined : backup.passphraseFile);
  const recipient = options.recipient ?? (hasOption ? undefined : backup.recipient);
  return {
    passphrase: passphraseFile && (await readSecretFile(passphraseFile)),
    identity: identityFile && (await readSecretFile(identityFile)),
    recipient,
    noEncryption,
  };
}
