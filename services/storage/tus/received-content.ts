/**
 * What has come of an upload, as a store of content keeps it: parts of one size, and a tail that is too short for one.
 * The tail is content by itself, and is put in front of what comes next. What is said here to have been received is on
 * stable storage.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { CompletedPart, ContentFacts, ContentName, ObjectStore } from '../store/object-store.ts';

/** Stores of the S3 protocol take no smaller ones, and clients send as many bytes with each request. */
const LEAST_PART_BYTES = 6 * 1024 * 1024;
/** Stores of the S3 protocol take 10,000. */
const MOST_PARTS = 9000;

/** Where the bytes are. Kept in the row of the upload. */
export interface ReceivedContent {
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

/** Bytes of a part, for an upload of a length. */
export function partBytes(length: number | null): number {
  return Math.max(LEAST_PART_BYTES, Math.ceil((length ?? 0) / MOST_PARTS));
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

  /** The bytes of the tail, which the next ones are put behind. */
  async readTail({ tail }: ReceivedContent): Promise<Buffer> {
    if (tail === undefined) return Buffer.alloc(0);
    return buffer(await this.#store.read({ ...this.#name, version: tail.version }));
  }

  /** Adds a part, which the tail is in. */
  async addPart({ uploadId, parts }: ReceivedContent, bytes: Buffer): Promise<ReceivedContent> {
    const begun = uploadId ?? (await this.#store.beginParts(this.#name, this.#labels));
    const part = { ...this.#name, uploadId: begun, partNumber: parts.length + 1 };
    const options = { maxBytes: bytes.length, bytes: bytes.length };
    const { eTag } = await this.#store.writePart(part, streamOf(bytes), options);
    return { uploadId: begun, parts: [...parts, { partNumber: part.partNumber, eTag }] };
  }

  /** Puts another tail in the place of the one that is in it. The old one is left to {@link dropTail}. */
  async replaceTail(content: ReceivedContent, bytes: Buffer): Promise<ReceivedContent> {
    const version = randomUUID();
    await this.#write({ ...this.#name, version }, bytes);
    return { ...content, tail: { version, size: bytes.length } };
  }

  /** Removes a tail that is in something else by now. */
  async dropTail({ tail }: ReceivedContent): Promise<void> {
    if (tail !== undefined) await this.#store.remove([{ ...this.#name, version: tail.version }]);
  }

  /** Makes content of bytes that came without any part. */
  writeWhole(bytes: Buffer): Promise<ContentFacts> {
    return this.#write(this.#name, bytes);
  }

  /** Makes content of the parts, or tells of what has been made of them already. */
  complete({ uploadId = '', parts }: ReceivedContent): Promise<ContentFacts> {
    return this.#store.completeParts({ ...this.#name, uploadId }, parts);
  }

  /** Removes all that has come. */
  async remove({ uploadId, tail }: ReceivedContent): Promise<void> {
    if (uploadId !== undefined) await this.#store.abortParts({ ...this.#name, uploadId });
    const versions = [this.#name.version, ...(tail === undefined ? [] : [tail.version])];
    await this.#store.remove(versions.map((version) => ({ ...this.#name, version })));
  }

  #write(name: ContentName, bytes: Buffer): Promise<ContentFacts> {
    return this.#store.write(name, streamOf(bytes), { ...this.#labels, maxBytes: bytes.length });
  }
}

function streamOf(bytes: Buffer): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false });
}
