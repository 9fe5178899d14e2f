/**
 * The format of blobs: compressed, encrypted and bound to their names. docs/reference/backup-archive.md describes it for
 * other programs.
 *
 *     "GRB1" | flags | key id (16) | nonce (12) | body | AES-GCM tag (16)       encrypted
 *     "GRB1" | flags | zeros (28)               | body | SHA-256 (32)           not encrypted
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { ArchiveError } from '../errors.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Most bytes of content of a blob: a segment of the write-ahead log. */
export const MAX_PLAIN_BYTES = 16 * 1024 * 1024;
export const KEY_ID_BYTES = 16;
export const KEY_BYTES = 32;

const MAGIC = Buffer.from('GRB1');
const FLAG_ENCRYPTED = 1;
const FLAG_ZSTD = 2;
const NONCE_BYTES = 12;
const HEADER_BYTES = MAGIC.length + 1 + KEY_ID_BYTES + NONCE_BYTES;
const TAG_BYTES = 16;
const HASH_BYTES = 32;
/** Any blob has at least this number of bytes. */
export const MIN_BLOB_BYTES = HEADER_BYTES + TAG_BYTES;
/** Fast enough for a stream of a database; higher levels cost more time than they save. */
const COMPRESSION_LEVEL = 1;

/** A key that encrypts blobs with AES-256-GCM. */
export interface DataKey {
  /** 16 bytes. */
  id: Buffer;
  /** 32 bytes. */
  bytes: Buffer;
}

/** Returns the key with this id, or rejects. */
export type FindDataKey = (id: Buffer) => Promise<DataKey>;

/** Encodes a blob. Without a key, it is not encrypted. The bytes fit this name only. */
export async function encodeBlob(name: string, plain: Uint8Array, key: DataKey | undefined): Promise<Buffer> {
  if (plain.length > MAX_PLAIN_BYTES)
    throw new RangeError(`${name} would have ${plain.length} bytes; a blob has at most ${MAX_PLAIN_BYTES}`);
  const compressed = await compress(plain, {
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
    chunkSize: maxCompressedBytes(plain.length),
    pledgedSrcSize: plain.length,
  });
  const isSmaller = compressed.length < plain.length;
  const body = isSmaller ? compressed : plain;
  const flags = (isSmaller ? FLAG_ZSTD : 0) | (key === undefined ? 0 : FLAG_ENCRYPTED);
  return key === undefined ? encodeClear(name, flags, body) : encrypt(name, flags, body, key);
}

/**
 * Returns the size of a buffer that has room for any result (`ZSTD_COMPRESSBOUND` of zstd.h): zstd then compresses in one pass,
 * without copies, in three quarters of the time.
 */
function maxCompressedBytes(length: number): number {
  const ofSmall = length < 128 * 1024 ? (128 * 1024 - length) >>> 11 : 0;
  return length + (length >>> 8) + ofSmall;
}

/**
 * Decodes a blob. Rejects with kind `damaged` if the bytes are not those of `encodeBlob` with this name.
 * @param find finds the key of an encrypted blob; undefined if blobs of the archive are not encrypted. A blob of the
 *   other kind is rejected, because anyone could have written it.
 */
export async function decodeBlob(
  name: string,
  bytes: Buffer,
  find: FindDataKey | undefined,
): Promise<Buffer> {
  const flags = readFlags(name, bytes);
  const isEncrypted = (flags & FLAG_ENCRYPTED) !== 0;
  if (isEncrypted !== (find !== undefined))
    throw damaged(name, `it is ${isEncrypted ? '' : 'not '}encrypted, unlike the archive`);
  const body = find === undefined ? openClear(name, bytes) : decrypt(name, bytes, await find(keyIdOf(bytes)));
  if ((flags & FLAG_ZSTD) === 0) return body;
  try {
    return await decompress(body, { maxOutputLength: MAX_PLAIN_BYTES });
  } catch (error) {
    throw damaged(name, 'its content cannot be decompressed', error);
  }
}

function encrypt(name: string, flags: number, body: Uint8Array, key: DataKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const header = Buffer.concat([MAGIC, Buffer.of(flags), key.id, nonce]);
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(authenticated(header, name));
  return Buffer.concat([header, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(name: string, bytes: Buffer, key: DataKey): Buffer {
  const header = bytes.subarray(0, HEADER_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, header.subarray(-NONCE_BYTES))
    .setAAD(authenticated(header, name))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const body = decipher.update(bytes.subarray(HEADER_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch (error) {
    throw damaged(name, 'its bytes were changed, or belong to another name or key', error);
  }
}

function encodeClear(name: string, flags: number, body: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  MAGIC.copy(header);
  header[MAGIC.length] = flags;
  return Buffer.concat([header, body, hashOf(header, name, body)]);
}

function openClear(name: string, bytes: Buffer): Buffer {
  if (bytes.length < HEADER_BYTES + HASH_BYTES) throw damaged(name, `it has only ${bytes.length} bytes`);
  const header = bytes.subarray(0, HEADER_BYTES);
  const body = bytes.subarray(HEADER_BYTES, -HASH_BYTES);
  if (!hashOf(header, name, body).equals(bytes.subarray(-HASH_BYTES)))
    throw damaged(name, 'its bytes were changed, or belong to another name');
  return body;
}

function readFlags(name: string, bytes: Buffer): number {
  if (bytes.length < MIN_BLOB_BYTES) throw damaged(name, `it has only ${bytes.length} bytes`);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(name, 'it does not begin with GRB1');
  const flags = bytes[MAGIC.length] ?? 0;
  if ((flags & ~(FLAG_ENCRYPTED | FLAG_ZSTD)) !== 0) throw damaged(name, `it has the unknown flags ${flags}`);
  return flags;
}

function keyIdOf(bytes: Buffer): Buffer {
  return bytes.subarray(MAGIC.length + 1, MAGIC.length + 1 + KEY_ID_BYTES);
}

/** Associated data: the header has a fixed length, so header and name cannot be confused. */
function authenticated(header: Buffer, name: string): Buffer {
  return Buffer.concat([header, Buffer.from(name)]);
}

function hashOf(header: Buffer, name: string, body: Uint8Array): Buffer {
  return createHash('sha256').update(header).update(name).update('\0').update(body).digest();
}

function damaged(name: string, reason: string, cause?: unknown): ArchiveError {
  return new ArchiveError('damaged', `${name} is damaged: ${reason}`, { cause });
}
