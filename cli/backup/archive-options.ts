/** Options of commands that use an archive. */
import {
  type Archive,
  type ArchiveSecrets,
  type ArchiveStore,
  openArchive,
  openStore,
  readDescription,
} from '@greenroom/backup';
import { openInstanceArchive, readSecretFile, requireUsablePlace } from '@greenroom/server/backup';
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

/** Returns the secrets, with the answer of the user if the archive needs a passphrase and nothing is given. */
async function withPassphrase({ store, secrets }: ArchivePlace): Promise<ArchiveSecrets> {
  const description = await readDescription(store);
  const isAsked = description?.encryption.kind === 'passphrase' && !hasChoice(secrets) && canAskSecret();
  const passphrase = isAsked ? await askSecret('Passphrase of the archive: ') : secrets.passphrase;
  return { ...secrets, passphrase };
}

/** Opens the archive of an instance, or creates it if the place has none. Asks for the passphrase of a new archive twice. */
export async function openForWriting(place: ArchivePlace, dataFolder: string): Promise<Archive> {
  const { store, secrets } = place;
  // Before the user is asked for a passphrase.
  await requireUsablePlace(store, dataFolder);
  const isNew = (await readDescription(store)) === undefined;
  if (!isNew) return openInstanceArchive(store, await withPassphrase(place), dataFolder);
  const isAsked = !hasChoice(secrets) && canAskSecret();
  const chosen = isAsked ? await askNewPassphrase() : secrets.passphrase;
  return openInstanceArchive(store, { ...secrets, passphrase: chosen }, dataFolder);
}

/** Whether options or settings decide about the encryption. */
function hasChoice({ passphrase, recipient, identity, noEncryption }: ArchiveSecrets): boolean {
  return noEncryption === true || [passphrase, recipient, identity].some((each) => each !== undefined);
}

async function askNewPassphrase(): Promise<string> {
  const passphrase = await askSecret('Passphrase of the new archive: ');
  if (passphrase === '') throw new Error('the passphrase is empty; nothing was created.');
  if ((await askSecret('The same passphrase again: ')) === passphrase) return passphrase;
  throw new Error('the passphrases differ; nothing was created.');
}

/** An option of the command line excludes the settings, because an archive has one kind of encryption. */
async function secretsOf(options: ArchiveOptions, backup: Config['backup']): Promise<ArchiveSecrets> {
  const { identityFile } = options;
  const hasOption =
    options.noEncryption || [options.passphraseFile, options.recipient, identityFile].some(Boolean);
  const passphraseFile = options.passphraseFile ?? (hasOption ? undefined : backup.passphraseFile);
  const recipient = options.recipient ?? (hasOption ? undefined : backup.recipient);
  const noEncryption = options.noEncryption || (!hasOption && backup.noEncryption);
  return {
    passphrase: passphraseFile && (await readSecretFile(passphraseFile)),
    identity: identityFile && (await readSecretFile(identityFile)),
    recipient,
    noEncryption,
  };
}
