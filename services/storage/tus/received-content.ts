/**
 * Stores the received bytes of an upload. Bytes that are recorded as received are on stable storage.
 *
 * If the store supports growing content, bytes are appended. Otherwise they are stored as parts of equal size, and a
 * tail that is too short for a part: the tail is separate content, and is prepended to the bytes that arrive next.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { failure } from '../errors.ts';
import type { CompletedPart, ContentName, ContentStat, ObjectStore } from '../store/object-store.ts';
import type { Segment } from './segments.ts';

/** Smallest part: S3 stores accept no smaller ones, and clients send as many bytes with each request. */
const MIN_PART_BYTES = 6 * 1024 * 1024;
/** S3 stores accept at most 10,000 parts. */
const MAX_PARTS = 9000;

/** Location of the received bytes. Stored in the row of the upload. */
export interface ReceivedContent {
  /** Growing content: a chained MD5, `digest = MD5(previous digest + MD5(added bytes))`, and the number of appends. */
  grown?: { digest: string; times: number };
  /** Id of the store's multipart upload; undefined until the first part. */
  uploadId?: string;
  parts: CompletedPart[];
  tail?: { version: string; size: number };
  /** All bytes are stored. Bytes that a client sends again, because it received no confirmation, are discarded. */
  isWhole?: boolean;
}

/** Headers that the store keeps with the content. */
export interface ContentLabels {
  contentType: string;
  cacheControl: string;
}

/** Reads and writes the received content of one upload. */
export class UploadContent {
  readonly #store: ObjectStore;
  readonly #name: ContentName;
  readonly #labels: ContentLabels;

  constructor(store: ObjectStore, name: ContentName, labels: ContentLabels) {
    this.#store = store;
    this.#name = name;
    this.#labels = labels;
  }

  /** Number of bytes to store at once, for an upload of `length` bytes. */
  segmentBytes(length: number | null): number {
    if (this.#store.growing !== undefined) return MIN_PART_BYTES;
    return Math.max(MIN_PART_BYTES, Math.ceil((length ?? 0) / MAX_PARTS));
  }

  /** Reads the tail, which precedes the next bytes. */
  async readTail({ tail }: ReceivedContent): Promise<Buffer> {
    if (tail === undefined) return Buffer.alloc(0);
    return buffer(await this.#store.read({ ...this.#name, version: tail.version }));
  }

  /**
   * Stores bytes, which include the tail.
   *
   * @param at offset of the bytes
   */
  add(content: ReceivedContent, at: number, { bytes, isFull }: Segment): Promise<ReceivedContent> {
    if (this.#store.growing !== undefined) return this.#grow(content, at, bytes);
    return isFull ? this.#addPart(content, bytes) : this.#replaceTail(content, bytes);
  }

  /** Stores the last bytes, which may be empty. {@link complete} then creates the content. */
  async addLast(content: ReceivedContent, at: number, bytes: Buffer): Promise<ReceivedContent> {
    const added = bytes.length === 0 ? content : await this.add(content, at, { bytes, isFull: true });
    return { ...added, isWhole: true };
  }

  /** Removes a tail whose bytes have been stored elsewhere. */
  async dropTail({ tail }: ReceivedContent): Promise<void> {
    if (tail !== undefined) await this.#store.remove([{ ...this.#name, version: tail.version }]);
  }

  /** Writes all bytes as content in one step, if no bytes other than a tail were stored before. */
  writeWhole(bytes: Buffer): Promise<ContentStat> {
    return this.#write(this.#name, bytes);
  }

  /** Creates the content from all stored bytes. Returns its metadata, also if it has already been created. */
  async complete({ grown, uploadId = '', parts }: ReceivedContent): Promise<ContentStat> {
    if (grown === undefined) return this.#store.completeParts({ ...this.#name, uploadId }, parts);
    const { growing } = this.#store;
    // The configured store has changed since the upload began.
    if (growing === undefined) throw failure('NoSuchUpload');
    return { ...(await growing.finish(this.#name)), eTag: `"${grown.digest}-${grown.times}"` };
  }

  /** Removes all received bytes. */
  async remove({ uploadId, tail }: ReceivedContent): Promise<void> {
    if (uploadId !== undefined) await this.#store.abortParts({ ...this.#name, uploadId });
    const versions = [this.#name.version, ...(tail === undefined ? [] : [tail.version])];
    await this.#store.remove(versions.map((version) => ({ ...this.#name, version })));
  }

  async #grow({ grown, parts }: ReceivedContent, at: number, bytes: Buffer): Promise<ReceivedContent> {
    await this.#store.growing?.append(this.#name, at, bytes);
    const hash = createHash('md5').update(grown?.digest ?? '', 'hex');
    const digest = hash.update(createHash('md5').update(bytes).digest()).digest('hex');
    return { parts, grown: { digest, times: (grown?.times ?? 0) + 1 } };
  }

  async #addPart({ uploadId, parts }: ReceivedContent, bytes: Buffer): Promise<ReceivedContent> {
    const id = uploadId ?? (await this.#store.beginParts(this.#name, this.#labels));
    const part = { ...this.#name, uploadId: id, partNumber: parts.length + 1 };
    const options = { maxBytes: bytes.length, bytes: bytes.length };
    const { eTag } = await this.#store.writePart(part, streamOf(bytes), options);
    return { uploadId: id, parts: [...parts, { partNumber: part.partNumber, eTag }] };
  }

  /** Keeps the previous tail until {@link dropTail}. */
  async #replaceTail(content: ReceivedContent, bytes: Buffer): Promise<ReceivedContent> {
    const version = randomUUID();
    await this.#write({ ...this.#name, version }, bytes);
    return { ...content, tail: { version, size: bytes.length } };
  }

  #write(name: ContentName, bytes: Buffer): Promise<ContentStat> {
    return this.#store.write(name, streamOf(bytes), { ...this.#labels, maxBytes: bytes.length });
  }
}

/** Whether no bytes other than a tail are stored. */
export function isUnstored({ grown, uploadId }: ReceivedContent): boolean {
  return grown === undefined && uploadId === undefined;
}

function streamOf(bytes: Buffer): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
}
