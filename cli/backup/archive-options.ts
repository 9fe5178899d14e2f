/** Options of commands that use an archive. */
import {
  type Archive,
  type ArchiveSecrets,
  type ArchiveStore,
  openArchive,
  openStore,
  readDescription,
} from '@greenroom/backup';
import { openInstanceArchive, readSecretFile } from '@greenroom/server/backup';
import type { Config } from '@greenroom/server/settings';
import { askSecret, canAskSecret } from '../prompt.ts';

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

/** Opens an archive. Asks for the passphrase on a terminal if none is given. */
export async function openForReading(place: ArchivePlace): Promise<Archive> {
  return openArchive(place.store, { secrets: await withPassphrase(place) });
}

/** Returns the secrets, with the answer of the user if the archive needs a passphrase and none is given. */
async function withPassphrase({ store, secrets }: ArchivePlace): Promise<ArchiveSecrets> {
  const description = await readDescription(store);
  const isAsked =
    description?.encryption.kind === 'passphrase' && secrets.passphrase === undefined && canAskSecret();
  const passphrase = isAsked ? await askSecret('Passphrase of the archive: ') : secrets.passphrase;
  return { ...secrets, passphrase };
}

/** Opens the archive of an instance, or creates it if the place has none. Asks for the passphrase of a new archive twice. */
export async function openForWriting(place: ArchivePlace, dataFolder: string): Promise<Archive> {
  const { store, secrets } = place;
  const { passphrase, recipient, identity, noEncryption } = secrets;
  const isNew = (await readDescription(store)) === undefined;
  if (!isNew) return openInstanceArchive(store, await withPassphrase(place), dataFolder);
  const isAsked = !noEncryption && [passphrase, recipient, identity].every((each) => each === undefined);
  const chosen = isAsked && canAskSecret() ? await askNewPassphrase() : passphrase;
  return openInstanceArchive(store, { ...secrets, passphrase: chosen }, dataFolder);
}

async function askNewPassphrase(): Promise<string> {
  const passphrase = await askSecret('Passphrase of the new archive: ');
  if (passphrase === '') throw new Error('the passphrase is empty; nothing was created.');
  if ((await askSecret('The same passphrase again: ')) === passphrase) return passphrase;
  throw new Error('the passphrases differ; nothing was created.');
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
