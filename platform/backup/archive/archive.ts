/** An opened archive: reads and writes encrypted blobs, and names chunks. */
import { createHmac } from 'node:crypto';
import { ArchiveError } from '../errors.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { decodeBlob, encodeBlob } from './blob.ts';
import type { ArchiveDescription } from './description.ts';
import type { ArchiveKeys } from './keys/archive-keys.ts';
import type { Pace } from './pace.ts';

/** An opened archive. */
export interface Archive {
  readonly store: ArchiveStore;
  readonly description: ArchiveDescription;
  /** Whether blobs of other processes can be read: with a recipient, only its identity reads them. */
  readonly canRead: boolean;
  /** The limit of the rate at which chunks are written and read. Default: none. */
  readonly pace?: Pace;
  /** Returns the id of the chunk with this content: 64 hexadecimal digits. Equal content has equal ids. */
  chunkIdOf(plain: Uint8Array): string;
  /** Whether content has this id; true if that cannot be known, because the writer had a secret of its instance. */
  isChunk(id: string, plain: Uint8Array): boolean;
  /** Encodes and stores a blob of at most `MAX_PLAIN_BYTES`; returns the number of stored bytes. */
  putBlob(name: string, plain: Uint8Array): Promise<number>;
  /** Like `putBlob`, but the blob is visible and durable only after `store.flush`. */
  putBlobLater(name: string, plain: Uint8Array): Promise<number>;
  /** Reads a blob. Rejects with kind `missing`, `damaged` or `wrongKey`. */
  getBlob(name: string): Promise<Buffer>;
  /** Encodes a blob without storing it. */
  encode(name: string, plain: Uint8Array): Promise<Buffer>;
  /** Decodes the bytes of a blob. Rejects with kind `damaged` or `wrongKey`. */
  decode(name: string, bytes: Buffer): Promise<Buffer>;
}

/** Returns an archive with keys that were opened before. */
export function createHandle(
  store: ArchiveStore,
  description: ArchiveDescription,
  keys: ArchiveKeys,
): Archive {
  async function encode(name: string, plain: Uint8Array): Promise<Buffer> {
    return encodeBlob(name, plain, await keys.writing());
  }
  async function decode(name: string, bytes: Buffer): Promise<Buffer> {
    try {
      return await decodeBlob(name, bytes, keys.find);
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      const text = error.message.startsWith(name)
        ? error.message
        : `${name} cannot be read: ${error.message}`;
      throw new ArchiveError(error.kind, `${text} (${store.location})`, { cause: error });
    }
  }
  const chunkIdOf = (plain: Uint8Array) =>
    createHmac('sha256', keys.chunkNameKey).update(plain).digest('hex');
  return {
    store,
    description,
    canRead: keys.canRead,
    chunkIdOf,
    isChunk: (id, plain) => !keys.isChunkNameKeyCommon || chunkIdOf(plain) === id,
    encode,
    decode,
    async putBlob(name, plain) {
      const bytes = await encode(name, plain);
      await store.put(name, bytes);
      return bytes.length;
    },
    async putBlobLater(name, plain) {
      const bytes = await encode(name, plain);
      await store.putLater(name, bytes);
      return bytes.length;
    },
    getBlob: async (name) => decode(name, await store.get(name)),
  };
}
