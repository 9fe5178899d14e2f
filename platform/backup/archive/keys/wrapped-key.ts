/**
 * Files with data keys, `keys/<key id>.json`. A data key is encrypted (AES-256-GCM) with a key that comes from the
 * passphrase (scrypt) or from an exchange with the recipient (X25519, HKDF-SHA-256).
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { z } from 'zod';
import { ArchiveError } from '../../errors.ts';
import { type DataKey, KEY_BYTES, KEY_ID_BYTES } from '../blob.ts';
import { decodeChecked, encodeChecked } from '../checked-json.ts';
import { publicBytesOf, publicKeyOf } from './recipient.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** Memory that scrypt may use, in bytes. The cost below needs 128 MiB. */
const MAX_SCRYPT_BYTES = 1024 * 1024 * 1024;
/** Parameters of scrypt: about half a second, and 128 MiB for each guess. */
export const SCRYPT_COST = 2 ** 17;
const SCRYPT_BLOCK = 8;
const SCRYPT_PARALLEL = 1;
const WRAP_INFO = 'greenroom-backup-wrap';

const base64 = z.base64().transform((text) => Buffer.from(text, 'base64'));
const common = { id: z.string(), nonce: base64, key: base64 };
const wrappedKeySchema = z.discriminatedUnion('wrap', [
  z.object({
    ...common,
    wrap: z.literal('passphrase'),
    salt: base64,
    // Bounds, because the file may be foreign: scrypt needs 128 * cost * block bytes.
    cost: z
      .int()
      .min(2)
      .max(2 ** 20),
    block: z.int().min(1).max(8),
    parallel: z.int().min(1).max(4),
  }),
  z.object({ ...common, wrap: z.literal('recipient'), ephemeral: base64 }),
]);

/** Makes a data key. */
export function generateDataKey(): DataKey {
  return { id: randomBytes(KEY_ID_BYTES), bytes: randomBytes(KEY_BYTES) };
}

/** Returns the name of the file of a data key. */
export function keyFileName(id: Buffer): string {
  return `keys/${id.toString('hex')}.json`;
}

/** Returns the content of the key file for a passphrase. */
export async function wrapWithPassphrase(
  key: DataKey,
  archiveId: string,
  passphrase: string,
  cost = SCRYPT_COST,
): Promise<Buffer> {
  const parameters = { salt: randomBytes(SALT_BYTES), cost, block: SCRYPT_BLOCK, parallel: SCRYPT_PARALLEL };
  const wrapping = await stretch(passphrase, parameters);
  const salt = parameters.salt.toString('base64');
  return encodeChecked({ wrap: 'passphrase', ...parameters, salt, ...seal(key, archiveId, wrapping) });
}

/** Returns the content of the key file for a recipient. */
export function wrapForRecipient(key: DataKey, archiveId: string, recipient: KeyObject): Buffer {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const ephemeral = publicBytesOf(publicKey);
  const shared = diffieHellman({ privateKey, publicKey: recipient });
  const wrapping = agree(shared, ephemeral, publicBytesOf(recipient));
  const sealed = seal(key, archiveId, wrapping);
  return encodeChecked({ wrap: 'recipient', ephemeral: ephemeral.toString('base64'), ...sealed });
}

/** Secrets that open a key file. */
export type KeySecret = { passphrase: string } | { identity: KeyObject };

/**
 * Opens a key file. Rejects with kind `damaged` if its checksum is wrong, and with kind `wrongKey` if the secret does not
 * fit.
 */
export async function unwrapKey(
  id: Buffer,
  archiveId: string,
  file: Buffer,
  secret: KeySecret,
): Promise<DataKey> {
  const wrapped = parseKeyFile(id, file);
  const wrapping = await wrappingKeyOf(wrapped, secret);
  const decipher = createDecipheriv('aes-256-gcm', wrapping, wrapped.nonce)
    .setAAD(authenticated(id, archiveId))
    .setAuthTag(wrapped.key.subarray(-TAG_BYTES));
  const bytes = decipher.update(wrapped.key.subarray(0, -TAG_BYTES));
  try {
    return { id: Buffer.from(id), bytes: Buffer.concat([bytes, decipher.final()]) };
  } catch (cause) {
    const name = 'passphrase' in secret ? 'passphrase' : 'identity';
    throw new ArchiveError('wrongKey', `the ${name} does not fit this archive`, { cause });
  }
}

type WrappedKey = z.infer<typeof wrappedKeySchema>;

function parseKeyFile(id: Buffer, file: Buffer): WrappedKey {
  const name = keyFileName(id);
  const wrapped = decodeChecked(name, file, wrappedKeySchema);
  const isValid =
    wrapped.id === id.toString('hex') &&
    wrapped.nonce.length === NONCE_BYTES &&
    wrapped.key.length === KEY_BYTES + TAG_BYTES;
  if (!isValid) throw new ArchiveError('damaged', `${name} is damaged: its values do not belong together`);
  return wrapped;
}

async function wrappingKeyOf(wrapped: WrappedKey, secret: KeySecret): Promise<Buffer> {
  if (wrapped.wrap === 'passphrase' && 'passphrase' in secret) return stretch(secret.passphrase, wrapped);
  if (wrapped.wrap === 'recipient' && 'identity' in secret) {
    const shared = diffieHellman({
      privateKey: secret.identity,
      publicKey: publicKeyOf(wrapped.ephemeral),
    });
    return agree(shared, wrapped.ephemeral, publicBytesOf(createPublicKey(secret.identity)));
  }
  const expected = wrapped.wrap === 'passphrase' ? 'a passphrase' : 'an identity';
  throw new ArchiveError('wrongKey', `the key of this archive needs ${expected}`);
}

function stretch(
  passphrase: string,
  { salt, cost, block, parallel }: { salt: Buffer; cost: number; block: number; parallel: number },
): Promise<Buffer> {
  const options = { N: cost, r: block, p: parallel, maxmem: MAX_SCRYPT_BYTES + 1024 * 1024 };
  // The same characters have several encodings, which depend on the keyboard and the system.
  const text = passphrase.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(text, salt, KEY_BYTES, options, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}

function agree(shared: Buffer, ephemeral: Buffer, recipient: Buffer): Buffer {
  const salt = Buffer.concat([ephemeral, recipient]);
  return Buffer.from(hkdfSync('sha256', shared, salt, WRAP_INFO, KEY_BYTES));
}

function seal(key: DataKey, archiveId: string, wrapping: Buffer): { id: string; nonce: string; key: string } {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce).setAAD(authenticated(key.id, archiveId));
  const sealed = Buffer.concat([cipher.update(key.bytes), cipher.final(), cipher.getAuthTag()]);
  return { id: key.id.toString('hex'), nonce: nonce.toString('base64'), key: sealed.toString('base64') };
}

function authenticated(id: Buffer, archiveId: string): Buffer {
  return Buffer.from(`${archiveId} ${id.toString('hex')}`);
}
