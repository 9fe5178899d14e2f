/** Multipart uploads in an S3 store, which supports them natively. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CompleteMultipartUploadCommand, HeadObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { failure } from '../../errors.ts';
import type { CompletedPart, ContentStat, PartName, PartOptions, PartsName } from '../object-store.ts';
import { nameOf } from './s3-error.ts';
import { splitIntoParts } from './split-into-parts.ts';
import { abortable, type ObjectLocation } from './write.ts';

/** Parts of unknown length are buffered in memory up to this size, and in a file if they are larger. */
const MEMORY_BYTES = 8 * 1024 * 1024;

/** Writes a part. Throws EntityTooLarge, NoSuchUpload. */
export async function writePart(
  location: ObjectLocation,
  part: PartName,
  content: Readable,
  options: PartOptions,
): Promise<ContentStat> {
  const { maxBytes, bytes } = options;
  if (bytes !== undefined && bytes > maxBytes) throw failure('EntityTooLarge');
  const parts = splitIntoParts(content, maxBytes, () => MEMORY_BYTES);
  const { value: first = Buffer.alloc(0) } = await parts.next();
  if (first.length < MEMORY_BYTES) return sendPart(location, part, first, first.length, options);
  const joinedStream = Readable.from(joined(first, parts), { objectMode: false });
  if (bytes !== undefined) return sendPart(location, part, exactly(joinedStream, bytes), bytes, options);
  return writeSpooled(location, part, joinedStream, options);
}

async function* joined(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* others;
}

/**
 * Fails if the content does not have the declared length; otherwise the store would wait for missing bytes
 * indefinitely.
 */
function exactly(content: Readable, bytes: number): Readable {
  async function* counted() {
    let size = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      yield chunk;
    }
    if (size !== bytes)
      throw failure('InvalidRequest', { message: 'The content does not have the expected length' });
  }
  return Readable.from(counted(), { objectMode: false });
}

async function writeSpooled(
  location: ObjectLocation,
  part: PartName,
  content: Readable,
  options: PartOptions,
): Promise<ContentStat> {
  const path = join(tmpdir(), `greenroom-part-${randomUUID()}`);
  try {
    await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const { size } = await stat(path);
    return await sendPart(location, part, createReadStream(path), size, options);
  } finally {
    await rm(path, { force: true });
  }
}

async function sendPart(
  { client, Bucket, Key }: ObjectLocation,
  { uploadId, partNumber }: PartName,
  Body: Buffer | Readable,
  size: number,
  { signal }: PartOptions,
): Promise<ContentStat> {
  const command = new UploadPartCommand({
    Bucket,
    Key,
    UploadId: uploadId,
    PartNumber: partNumber,
    Body,
    ContentLength: size,
  });
  const { ETag = '' } = await client.send(command, abortable(signal));
  return { size, eTag: ETag, lastModified: new Date() };
}

/** Completes the upload. Succeeds if an interrupted call has already done so. Throws MissingPart. */
export async function completeParts(
  location: ObjectLocation,
  { uploadId }: PartsName,
  parts: readonly CompletedPart[],
): Promise<ContentStat> {
  if (parts.length === 0) throw failure('MissingPart');
  const { client, Bucket, Key } = location;
  const Parts = parts.map(({ partNumber, eTag }) => ({ PartNumber: partNumber, ETag: eTag }));
  try {
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId: uploadId,
        MultipartUpload: { Parts },
      }),
    );
  } catch (error) {
    if (nameOf(error) !== 'NoSuchUpload') throw error;
    return await headContent(location).catch(() => {
      throw error;
    });
  }
  return await headContent(location);
}

/** Reads the metadata of content. */
export async function headContent({ client, Bucket, Key }: ObjectLocation): Promise<ContentStat> {
  const { ContentLength, ETag, LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key }));
  return { size: ContentLength ?? 0, eTag: ETag ?? '', lastModified: LastModified ?? new Date(0) };
}
