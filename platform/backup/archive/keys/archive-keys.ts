/** The keys of an opened archive: one that encrypts, those that decrypt, and one that names chunks. */
import { hkdfSync } from 'node:crypto';
import { ArchiveError, isArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import type { DataKey, FindDataKey } from '../blob.ts';
import { BYTE_ORDER_MARK, withoutMark } from './byte-order-mark.ts';
import { parseIdentity, parseRecipient, publicBytesOf } from './recipient.ts';
import { generateDataKey, type KeySecret, keyFileName, unwrapKey, wrapForRecipient } from './wrapped-key.ts';

/** Use of the key that names chunks, and the key in archives without encryption. */
const CHUNK_NAMES = 'greenroom-backup-chunk-names';
const NAME_KEY_BYTES = 32;

/** Keys of an archive. */
export interface ArchiveKeys {
  /** Key of HMAC-SHA-256 that names chunks by their content. */
  chunkNameKey: Buffer;
  /** Whether all writers of the archive have this key. Those for a recipient may have had a secret of their instance. */
  isChunkNameKeyCommon: boolean;
  /** Whether blobs of other processes can be read: with a recipient, only its identity reads them. */
  canRead: boolean;
  /** Returns the key that encrypts; undefined in an archive without encryption. */
  writing(): Promise<DataKey | undefined>;
  /** Finds the key that decrypts; undefined in an archive without encryption. */
  find: FindDataKey | undefined;
}

/** Keys of an archive without encryption. */
export function clearKeys(): ArchiveKeys {
  return {
    chunkNameKey: Buffer.from(CHUNK_NAMES),
    isChunkNameKeyCommon: true,
    canRead: true,
    writing: async () => undefined,
    find: undefined,
  };
}

/** Keys of an archive with a passphrase: one data key, which is read here. */
export async function passphraseKeys(
  store: ArchiveStore,
  archiveId: string,
  keyId: Buffer,
  passphrase: string,
): Promise<ArchiveKeys> {
  const plain = withoutMark(passphrase);
  const key = await readKey(store, archiveId, keyId, { passphrase: plain }).catch((error: unknown) => {
    if (!isArchiveError(error, 'wrongKey')) throw error;
    // Earlier versions used the mark of a file as a part of the passphrase.
    return readKey(store, archiveId, keyId, { passphrase: BYTE_ORDER_MARK + plain });
  });
  return {
    chunkNameKey: deriveNameKey(key.bytes, ''),
    isChunkNameKeyCommon: true,
    canRead: true,
    writing: async () => key,
    async find(id) {
      if (id.equals(key.id)) return key;
      throw new ArchiveError(
        'damaged',
        `a blob names the key ${id.toString('hex')}, which this archive does not have`,
      );
    },
  };
}

/** Values of an archive for a recipient. */
interface RecipientOptions {
  archiveId: string;
  recipient: string;
  /** Text of the private key; undefined if the process only writes. */
  identity: string | undefined;
  chunkSecret: Buffer | undefined;
}

/** Keys of an archive for a recipient. The process writes with a data key that it makes at its first write. */
export function recipientKeys(store: ArchiveStore, options: RecipientOptions): ArchiveKeys {
  const { archiveId, chunkSecret } = options;
  const publicKey = parseRecipient(options.recipient);
  const identity = options.identity === undefined ? undefined : parseIdentity(options.identity);
  const found = new Map<string, Promise<DataKey>>();
  let own: Promise<DataKey> | undefined;

  async function makeKey(): Promise<DataKey> {
    const key = generateDataKey();
    await store.put(keyFileName(key.id), wrapForRecipient(key, archiveId, publicKey));
    found.set(key.id.toString('hex'), Promise.resolve(key));
    return key;
  }

  return {
    chunkNameKey: deriveNameKey(chunkSecret ?? publicBytesOf(publicKey), archiveId),
    isChunkNameKeyCommon: false,
    canRead: identity !== undefined,
    async writing() {
      own ??= makeKey();
      try {
        return await own;
      } catch (error) {
        own = undefined;
        throw error;
      }
    },
    async find(id) {
      const name = id.toString('hex');
      const known = found.get(name);
      if (known !== undefined) return known;
      if (identity === undefined)
        throw new ArchiveError(
          'wrongKey',
          'the recipient cannot read this archive: give its identity with --identity-file',
        );
      const key = readKey(store, archiveId, Buffer.from(id), { identity });
      found.set(name, key);
      key.catch(() => found.delete(name));
      return key;
    },
  };
}

async function readKey(
  store: ArchiveStore,
  archiveId: string,
  id: Buffer,
  secret: KeySecret,
): Promise<DataKey> {
  const name = keyFileName(id);
  try {
    return await unwrapKey(id, archiveId, await store.get(name), secret);
  } catch (error) {
    if (isArchiveError(error, 'missing'))
      throw new ArchiveError(
        'missing',
        `${name} is missing in ${store.location}: nothing that it encrypts can be read`,
        {
          cause: error,
        },
      );
    throw error;
  }
}

function deriveNameKey(secret: Buffer, salt: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, CHUNK_NAMES, NAME_KEY_BYTES));
}
