/**
 * What has come of an upload, as a store of content keeps it. What is said here to have been received is on stable
 * storage.
 *
 * Where content can grow, bytes are put behind the others. Elsewhere they are parts of one size, and a tail that is too
 * short for one: the tail is content by itself, and is put in front of what comes next.
 */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { failure } from '../errors.ts';
import type { CompletedPart, ContentFacts, ContentName, ObjectStore } from '../store/object-store.ts';
import type { Portion } from './portions.ts';

/** Stores of the S3 protocol take no smaller ones, and clients send as many bytes with each request. */
const LEAST_PART_BYTES = 6 * 1024 * 1024;
/** Stores of the S3 protocol take 10,000. */
const MOST_PARTS = 9000;

/** Where the bytes are. Kept in the row of the upload. */
export interface ReceivedContent {
  /** Of content that grows: MD5 of the MD5 of what was there before and that of what was added, and how often. */
  grown?: { digest: string; times: number };
  /** Of the parts; undefined as long as there is none. */
  uploadId?: string;
  parts: CompletedPart[];
  tail?: { version: string; size: number };
  /** All bytes are there: those that come once more, because nobody was told, are not needed. */
  isWhole?: boolean;
}

/** What the store is told about the content. */
export interface ContentLabels {
  contentType: string;
  cacheControl: string;
}

/** The content of one upload. */
export class ContentOfUpload {
  readonly #store: ObjectStore;
  readonly #name: ContentName;
  readonly #labels: ContentLabels;

  constructor(store: ObjectStore, name: ContentName, labels: ContentLabels) {
    this.#store = store;
    this.#name = name;
    this.#labels = labels;
  }

  /** So many bytes are stored at once, of an upload of a length. */
  portionBytes(length: number | null): number {
    if (this.#store.growing !== undefined) return LEAST_PART_BYTES;
    return Math.max(LEAST_PART_BYTES, Math.ceil((length ?? 0) / MOST_PARTS));
  }

  /** The bytes of the tail, which the next ones are put behind. */
  async readTail({ tail }: ReceivedContent): Promise<Buffer> {
    if (tail === undefined) return Buffer.alloc(0);
    return buffer(await this.#store.read({ ...this.#name, version: tail.version }));
  }

  /**
   * Adds bytes, with those of the tail in front of them.
   * @param at where they belong
   */
  add(content: ReceivedContent, at: number, { bytes, isFull }: Portion): Promise<ReceivedContent> {
    if (this.#store.growing !== undefined) return this.#grow(content, at, bytes);
    return isFull ? this.#addPart(content, bytes) : this.#replaceTail(content, bytes);
  }

  /** Adds the last bytes, which may be none. {@link complete} makes content of it then. */
  async addLast(content: ReceivedContent, at: number, bytes: Buffer): Promise<ReceivedContent> {
    const added = bytes.length === 0 ? content : await this.add(content, at, { bytes, isFull: true });
    return { ...added, isWhole: true };
  }

  /** Removes a tail that is in something else by now. */
  async dropTail({ tail }: ReceivedContent): Promise<void> {
    if (tail !== undefined) await this.#store.remove([{ ...this.#name, version: tail.version }]);
  }

  /** Makes content of all bytes at once, where none have been stored but for a tail. */
  writeWhole(bytes: Buffer): Promise<ContentFacts> {
    return this.#write(this.#name, bytes);
  }

  /** Makes content of what was added, or tells of what has been made of it already. */
  async complete({ grown, uploadId = '', parts }: ReceivedContent): Promise<ContentFacts> {
    if (grown === undefined) return this.#store.completeParts({ ...this.#name, uploadId }, parts);
    const { growing } = this.#store;
    // The store is another one than it was.
    if (growing === undefined) throw failure('NoSuchUpload');
    return { ...(await growing.finish(this.#name)), eTag: `"${grown.digest}-${grown.times}"` };
  }

  /** Removes all that has come. */
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
    const begun = uploadId ?? (await this.#store.beginParts(this.#name, this.#labels));
    const part = { ...this.#name, uploadId: begun, partNumber: parts.length + 1 };
    const options = { maxBytes: bytes.length, bytes: bytes.length };
    const { eTag } = await this.#store.writePart(part, streamOf(bytes), options);
    return { uploadId: begun, parts: [...parts, { partNumber: part.partNumber, eTag }] };
  }

  /** The one before is left to {@link dropTail}. */
  async #replaceTail(content: ReceivedContent, bytes: Buffer): Promise<ReceivedContent> {
    const version = randomUUID();
    await this.#write({ ...this.#name, version }, bytes);
    return { ...content, tail: { version, size: bytes.length } };
  }

  #write(name: ContentName, bytes: Buffer): Promise<ContentFacts> {
    return this.#store.write(name, streamOf(bytes), { ...this.#labels, maxBytes: bytes.length });
  }
}

/** Whether nothing has been stored, but for a tail. */
export function isUnstored({ grown, uploadId }: ReceivedContent): boolean {
  return grown === undefined && uploadId === undefined;
}

function streamOf(bytes: Buffer): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
}
