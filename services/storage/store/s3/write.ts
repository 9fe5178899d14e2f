/** Writes a stream of unknown length to an S3 store: small content in one request, larger content in parts. */

import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { failure } from '../../errors.ts';
import type { ContentStat, WriteOptions } from '../object-store.ts';
import { splitIntoParts } from './split-into-parts.ts';

const MEBIBYTE = 1024 * 1024;
/** Stores accept at most 10,000 parts, so later parts are larger. This allows 360 GB in one request. */
const MAX_PARTS = 10_000;
const LARGE_FROM = MAX_PARTS / 2;
const PART_BYTES = 8 * MEBIBYTE;
const LARGE_PART_BYTES = 64 * MEBIBYTE;
/** Number of parts that are sent concurrently. */
const PARALLEL = 3;

/** An object in a bucket. */
export interface ObjectLocation {
  client: S3Client;
  Bucket: string;
  Key: string;
}

/** Writes content. Throws EntityTooLarge. Aborts the multipart upload on failure. */
export async function writeContent(
  location: ObjectLocation,
  content: Readable,
  options: WriteOptions,
): Promise<ContentStat> {
  const pieces = splitIntoParts(content, options.maxBytes, (index) =>
    index < LARGE_FROM ? PART_BYTES : LARGE_PART_BYTES,
  );
  const { value: first = Buffer.alloc(0) } = await pieces.next();
  return first.length < PART_BYTES
    ? await putWhole(location, first, options)
    : await putInParts(location, first, pieces, options);
}

async function putWhole(
  { client, Bucket, Key }: ObjectLocation,
  Body: Buffer,
  options: WriteOptions,
): Promise<ContentStat> {
  const { ETag = '' } = await client.send(
    new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length, ...headersOf(options) }),
    abortable(options.signal),
  );
  return { size: Body.length, eTag: ETag, lastModified: new Date() };
}

async function putInParts(
  location: ObjectLocation,
  first: Buffer,
  others: AsyncIterable<Buffer>,
  options: WriteOptions,
): Promise<ContentStat> {
  const { client, Bucket, Key } = location;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ...headersOf(options) }),
    abortable(options.signal),
  );
  const sender = new PartSender(location, UploadId, options.signal);
  try {
    await sender.send(first);
    for await (const chunk of others) await sender.send(chunk);
    const Parts = await sender.finish();
    const { ETag = '' } = await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
      abortable(options.signal),
    );
    return { size: sender.size, eTag: ETag, lastModified: new Date() };
  } catch (error) {
    await sender.settle();
    // If aborting fails, the sweep removes the upload.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => {});
    throw error;
  }
}

/** Sends parts with limited concurrency. */
class PartSender {
  size = 0;
  readonly #location: ObjectLocation;
  readonly #uploadId: string | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #sent: Promise<CompletedPart>[] = [];

  constructor(location: ObjectLocation, uploadId: string | undefined, signal: AbortSignal | undefined) {
    this.#location = location;
    this.#uploadId = uploadId;
    this.#signal = signal;
  }

  async send(chunk: Buffer): Promise<void> {
    if (this.#sent.length === MAX_PARTS) throw failure('EntityTooLarge');
    this.size += chunk.length;
    const part = this.#sendPart(chunk, this.#sent.length + 1);
    part.catch(() => {});
    this.#sent.push(part);
    await this.#sent.at(-PARALLEL);
  }

  finish(): Promise<CompletedPart[]> {
    return Promise.all(this.#sent);
  }

  /** Resolves when no part is being sent. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#sent);
  }

  async #sendPart(Body: Buffer, PartNumber: number): Promise<CompletedPart> {
    const { client, Bucket, Key } = this.#location;
    const { ETag } = await client.send(
      new UploadPartCommand({
        Bucket,
        Key,
        UploadId: this.#uploadId,
        PartNumber,
        Body,
        ContentLength: Body.length,
      }),
      abortable(this.#signal),
    );
    return { PartNumber, ETag };
  }
}

/** Headers that a store keeps with the content. */
export function headersOf({
  contentType,
  cacheControl,
}: Pick<WriteOptions, 'contentType' | 'cacheControl'>): {
  ContentType: string;
  CacheControl: string;
} {
  return { ContentType: contentType, CacheControl: cacheControl };
}

/** Converts a signal to the option of the SDK. */
export function abortable(signal: AbortSignal | undefined): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
