/** Creates archives and opens existing ones with the secret that fits their encryption. */
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { DESCRIPTION_NAME } from '../store/names.ts';
import { type Archive, createHandle } from './archive.ts';
import {
  type ArchiveDescription,
  type Encryption,
  newDescription,
  readDescription,
  writeDescription,
} from './description.ts';
import { type ArchiveKeys, clearKeys, passphraseKeys, recipientKeys } from './keys/archive-keys.ts';
import { withoutMark } from './keys/byte-order-mark.ts';
import { parseRecipient, recipientOf } from './keys/recipient.ts';
import { generateDataKey, keyFileName, wrapWithPassphrase } from './keys/wrapped-key.ts';

const CHOICES =
  'choose a passphrase (--passphrase-file or GREENROOM_BACKUP_PASSPHRASE_FILE), a recipient (--recipient or GREENROOM_BACKUP_RECIPIENT, made by `greenroom backup keygen`) or --no-encryption (GREENROOM_BACKUP_NO_ENCRYPTION=true)';

/** How the caller encrypts and decrypts. All are undefined if the caller has given nothing. */
export interface ArchiveSecrets {
  passphrase?: string | undefined;
  /** Public key: writes, but does not read. */
  recipient?: string | undefined;
  /** Private key of the recipient: writes and reads. */
  identity?: string | undefined;
  /** The operator has chosen an archive without encryption: a new one is created so, and only such a one is opened. */
  noEncryption?: boolean | undefined;
}

/** Options of opening. */
interface OpenOptions {
  secrets: ArchiveSecrets;
  /**
   * Names of chunks in an archive for a recipient derive from this secret of the instance, if it is given. Otherwise
   * they derive from public values, so that a reader of the archive can test whether it contains a known piece.
   */
  chunkSecret?: Buffer | undefined;
}

/** Options of creating. */
export interface CreateOptions extends OpenOptions {
  greenroomVersion: string;
  now?: Date;
  /** Cost of scrypt; a power of two. Only tests change it. */
  scryptCost?: number;
}

/**
 * Opens an archive. Rejects with kind `missing` if the place has none, `wrongKey` if the secret does not fit, and
 * `refused` if it is of another kind than the archive's encryption.
 */
export async function openArchive(store: ArchiveStore, options: OpenOptions): Promise<Archive> {
  const description = await readDescription(store);
  if (description === undefined)
    throw new ArchiveError('missing', `${store.location} contains no archive of Greenroom`);
  return open(store, description, options);
}

/** Opens the archive, or creates it in a place that has none. Rejects as `openArchive`. */
export async function openOrCreateArchive(store: ArchiveStore, options: CreateOptions): Promise<Archive> {
  const existing = await readDescription(store);
  if (existing !== undefined) return open(store, existing, options);
  await requireNoBackups(store);
  const { secrets, greenroomVersion, now = new Date() } = options;
  const head = newDescription(greenroomVersion, now);
  const encryption = await prepareEncryption(store, head.id, secrets, options.scryptCost);
  const description = { ...head, encryption };
  if (await writeDescription(store, description)) return open(store, description, options);
  // Another process has created an archive at the same time.
  if (encryption.kind === 'passphrase')
    await store.remove([keyFileName(Buffer.from(encryption.keyId, 'hex'))]);
  return openArchive(store, options);
}

/** Refuses a place whose `archive.json` was lost: a new one would hide the backups. */
async function requireNoBackups(store: ArchiveStore): Promise<void> {
  for await (const batch of store.list('backups/'))
    if (batch.length > 0)
      throw new ArchiveError(
        'refused',
        `${DESCRIPTION_NAME} is missing in ${store.location}, which contains backups: restore the file, or choose an empty place`,
      );
}

/** Writes the key of a new archive, so that it exists before the archive does. */
async function prepareEncryption(
  store: ArchiveStore,
  archiveId: string,
  secrets: ArchiveSecrets,
  scryptCost: number | undefined,
): Promise<Encryption> {
  requireOneSecret(secrets);
  const { passphrase } = secrets;
  const recipient = recipientIn(secrets);
  if (recipient !== undefined) return { kind: 'recipient', recipient };
  if (passphrase === undefined) return { kind: 'none' };
  const key = generateDataKey();
  const wrapped = await wrapWithPassphrase(key, archiveId, withoutMark(passphrase), scryptCost);
  await store.put(keyFileName(key.id), wrapped);
  return { kind: 'passphrase', keyId: key.id.toString('hex') };
}

function requireOneSecret({ passphrase, recipient, identity, noEncryption }: ArchiveSecrets): void {
  const given = [passphrase, recipient ?? identity, noEncryption || undefined].filter(
    (each) => each !== undefined,
  );
  if (given.length === 0) throw new ArchiveError('refused', `a new archive needs its encryption: ${CHOICES}`);
  if (given.length > 1)
    throw new ArchiveError('refused', `an archive has one kind of encryption: ${CHOICES}`);
  if (passphrase !== undefined && withoutMark(passphrase) === '')
    throw new ArchiveError('refused', 'the passphrase is empty');
}

/** Returns the recipient in its usual form; undefined if neither a recipient nor an identity is given. */
function recipientIn({ recipient, identity }: ArchiveSecrets): string | undefined {
  const derived = identity === undefined ? undefined : recipientOf(identity);
  if (recipient === undefined) return derived;
  parseRecipient(recipient);
  if (derived !== undefined && derived !== recipient.trim())
    throw new ArchiveError('refused', 'the identity does not belong to the recipient that is set');
  return recipient.trim();
}

async function open(
  store: ArchiveStore,
  description: ArchiveDescription,
  options: OpenOptions,
): Promise<Archive> {
  return createHandle(store, description, await keysOf(store, description, options));
}

async function keysOf(
  store: ArchiveStore,
  { id, encryption }: ArchiveDescription,
  { secrets, chunkSecret }: OpenOptions,
): Promise<ArchiveKeys> {
  const { passphrase, identity, noEncryption } = secrets;
  const recipient = recipientIn(secrets);
  const place = `the archive in ${store.location}`;
  if (encryption.kind === 'none') {
    // An attacker with write access can replace an encrypted archive by a clear one, so the operator decides, not the archive.
    if (passphrase !== undefined || recipient !== undefined)
      throw new ArchiveError(
        'refused',
        `${place} is not encrypted, although a passphrase or recipient is set`,
      );
    if (!noEncryption)
      throw new ArchiveError(
        'refused',
        `${place} is not encrypted, so everyone who can write there can have changed it. If it was created without encryption, use --no-encryption or set GREENROOM_BACKUP_NO_ENCRYPTION=true; otherwise, it was replaced`,
      );
    return clearKeys();
  }
  if (noEncryption) throw new ArchiveError('refused', `${place} is encrypted, although no encryption is set`);
  if (encryption.kind === 'passphrase') {
    if (passphrase === undefined)
      throw new ArchiveError(
        'refused',
        `${place} is encrypted with a passphrase: give it with --passphrase-file`,
      );
    return passphraseKeys(store, id, Buffer.from(encryption.keyId, 'hex'), passphrase);
  }
  if (recipient === undefined)
    throw new ArchiveError(
      'refused',
      `${place} is encrypted for ${encryption.recipient}: give its identity with --identity-file`,
    );
  if (recipient !== encryption.recipient)
    throw new ArchiveError(
      'wrongKey',
      `${place} is encrypted for ${encryption.recipient}, not for ${recipient}`,
    );
  return recipientKeys(store, { archiveId: id, recipient, identity, chunkSecret });
}
