/**
 * The tus server's data store: rows record the progress of uploads, and the content store holds their bytes. Each
 * request has its own instance, because the caller determines the owner of the object.
 */
import type { Readable } from 'node:stream';
import { DataStore, ERRORS, type Upload } from '@tus/server';
import type { Context } from '../context.ts';
import { failure } from '../errors.ts';
import { requireFewUploads } from '../quotas/principal.ts';
import type { ContentStat } from '../store/object-store.ts';
import { finishObject } from './finish.ts';
import { isUnstored, type ReceivedContent, UploadContent } from './received-content.ts';
import { removeReceived } from './remove-received.ts';
import {
  deleteUpload,
  insertUpload,
  type NewUpload,
  selectUpload,
  type UploadRow,
  updateLength,
  updateProgress,
} from './rows.ts';
import { segmentsOf } from './segments.ts';
import { parseUploadId, uploadId } from './upload-id.ts';
import { labelsOf } from './upload-metadata.ts';
import type { UploadRequest } from './upload-request.ts';

const EXTENSIONS = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination', 'expiration'];

/** Data store for one request. */
export class UploadStore extends DataStore {
  override readonly extensions = EXTENSIONS;
  readonly #context: Context;
  readonly #request: UploadRequest;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(context: Context, request: UploadRequest) {
    super();
    this.#context = context;
    this.#request = request;
  }

  /** Resolves when no write is pending. The tus server does not wait for writes after a client has disconnected. */
  async waitForWrites(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  override getExpiration(): number {
    return this.#context.config.resumableExpiryMs;
  }

  override async create(upload: Upload): Promise<Upload> {
    const name = parseUploadId(upload.id);
    if (name === undefined) throw ERRORS.FILE_NOT_FOUND;
    const { size = null, metadata = {} } = upload;
    const row = await this.#insert({ ...name, length: size, metadata });
    // An empty upload is complete without any further request.
    if (size === 0) await this.#finish(row, row.content, 0, Buffer.alloc(0));
    upload.creation_date = row.lastActiveAt.toISOString();
    return upload;
  }

  async #insert(
    upload: Pick<NewUpload, 'bucket' | 'key' | 'version' | 'length' | 'metadata'>,
  ): Promise<UploadRow> {
    const { quotas, database, config } = this.#context;
    const { bucket, length } = upload;
    const principal = this.#request.principal();
    const { isUpsert } = this.#request.owner();
    const maxBytes = await this.#request.maxBytes(uploadId(upload));
    const spaceRequest = { ...upload, ...principal, isUpsert, maxBytes, size: length ?? undefined };
    return quotas.withReservation(spaceRequest, async ({ bytes, release }) => {
      const reserved = length === null && release.length > 0 ? bytes : null;
      const before = requireFewUploads(principal, bucket, config.maxUnfinishedUploads);
      const insert = insertUpload({ ...upload, ...principal, reserved });
      const results = await database.transaction((tx) => tx.commit([...before, insert, ...release]));
      const [row] = (results[before.length] ?? []) as unknown as UploadRow[];
      if (row === undefined) throw failure('InternalError');
      return row;
    });
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#require(id);
    const { length, received, metadata, lastActiveAt } = row;
    const upload = {
      id: uploadId(row),
      size: length ?? undefined,
      offset: received,
      metadata,
      creation_date: lastActiveAt.toISOString(),
      storage: undefined,
    };
    return { ...upload, sizeIsDeferred: length === null };
  }

  override async declareUploadLength(id: string, length: number): Promise<void> {
    if (length > (await this.#request.maxBytes(id))) throw ERRORS.ERR_MAX_SIZE_EXCEEDED;
    const row = await this.#require(id);
    if (length > (row.reserved ?? length)) throw failure('QuotaExceeded');
    await this.#context.database.query(updateLength(row, length));
  }

  override async remove(id: string): Promise<void> {
    const row = await this.#require(id);
    await this.#context.database.query(deleteUpload(row.version));
    await removeReceived(this.#context, row);
  }

  /** Returns the new offset. All bytes before it are on stable storage. */
  override write(stream: Readable, id: string, offset: number): Promise<number> {
    const writing = this.#write(stream, id, offset);
    this.#writing = writing;
    return writing;
  }

  async #write(stream: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#require(id);
    if (row.received !== offset) throw ERRORS.INVALID_OFFSET;
    if (row.isFinished) return row.received;
    return row.content.isWhole ? this.#receiveAgain(stream, row) : this.#receive(stream, row);
  }

  async #receive(stream: Readable, row: UploadRow): Promise<number> {
    const stored = this.#contentOf(row);
    let { content, received } = row;
    const tail = await stored.readTail(content);
    let storedBytes = received - tail.length;
    // For the tus server, a limit of 0 means no limit, so the limit is checked here.
    const maxBytes = await this.#request.maxBytes(uploadId(row));
    for await (const segment of segmentsOf(stream, stored.segmentBytes(row.length), tail)) {
      const { bytes, isFull } = segment;
      const end = storedBytes + bytes.length;
      if (end > maxBytes) throw ERRORS.ERR_MAX_SIZE_EXCEEDED;
      if (row.length === null && end > (row.reserved ?? end)) throw failure('QuotaExceeded');
      if (end === row.length) {
        await this.#finish({ ...row, received }, content, storedBytes, bytes);
        return end;
      }
      if (end === received) break;
      const next = await stored.add(content, storedBytes, segment);
      await this.#progress(row, { from: received, received: end, content: next });
      await stored.dropTail(content);
      if (isFull) storedBytes = end;
      content = next;
      received = end;
    }
    return received;
  }

  /**
   * Finishes an upload whose bytes are all stored but whose object is missing because a process was killed in between.
   * The client sends the last bytes again, which are only counted.
   */
  async #receiveAgain(stream: Readable, row: UploadRow): Promise<number> {
    let received = row.received;
    for await (const chunk of stream) received += (chunk as Uint8Array).length;
    if (received === row.length) {
      await this.#save(row, await this.#contentOf(row).complete(row.content));
      return received;
    }
    await this.#progress(row, { from: row.received, received, content: row.content });
    return received;
  }

  /** Reports the last bytes as received only when the object exists. */
  async #finish(row: UploadRow, content: ReceivedContent, at: number, bytes: Buffer): Promise<void> {
    const stored = this.#contentOf(row);
    if (isUnstored(content)) {
      await this.#save(row, await stored.writeWhole(bytes));
    } else {
      const completed = await stored.addLast(content, at, bytes);
      await this.#progress(row, { from: row.received, received: row.received, content: completed });
      await this.#save(row, await stored.complete(completed));
    }
    await stored.dropTail(content);
  }

  async #save(row: UploadRow, stat: ContentStat): Promise<void> {
    const { access, owner } = this.#request;
    await finishObject(this.#context, row, stat, { access, object: owner() });
  }

  async #progress(
    { version }: UploadRow,
    progress: { from: number; received: number; content: ReceivedContent },
  ): Promise<void> {
    const [row] = await this.#context.database.query(updateProgress(version, progress));
    if (row === undefined) throw failure('ResourceLocked');
  }

  #contentOf(row: UploadRow): UploadContent {
    return new UploadContent(this.#context.store, row, labelsOf(row.metadata));
  }

  async #require(id: string): Promise<UploadRow> {
    const name = parseUploadId(id);
    const [row] = name === undefined ? [] : await this.#context.database.query<UploadRow>(selectUpload(name));
    if (row === undefined) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
