/**
 * Stores content in a bucket of an S3 store, under `<bucket>/<key>/<version>`. The bucket belongs to one instance,
 * which may have several nodes: content unknown to its database goes to quarantine.
 */
import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { failure } from '../errors.ts';
import type { S3StoreConfig } from '../settings.ts';
import type { ByteRange, ContentName, ObjectStore, WriteOptions } from './object-store.ts';
import { copyContent } from './s3/copy.ts';
import { readInstanceId, writeInstanceId } from './s3/instance-id.ts';
import { listContent } from './s3/list.ts';
import { completeParts, headContent, writePart } from './s3/parts.ts';
import { findQuarantined, s3Quarantine } from './s3/quarantine.ts';
import { nameOf, storeError } from './s3/s3-error.ts';
import { keyOf } from './s3/s3-key.ts';
import { abortable, headersOf, type ObjectLocation, writeContent } from './s3/write.ts';

/** Most keys in one DeleteObjects request. */
const MAX_REMOVALS_PER_REQUEST = 1000;
/** Up to this number, content is removed by single requests, because not every store supports DeleteObjects. */
const MAX_SINGLE_REMOVALS = 8;
const CONNECT_MS = 5000;
const SILENCE_MS = 60_000;
const MAX_SOCKETS = 128;

/** Opens the store without sending a request. */
export function openS3Store(config: S3StoreConfig): ObjectStore {
  const client = createClient(config);
  const Bucket = config.bucket;
  const at = (name: ContentName): ObjectLocation => ({ client, Bucket, Key: keyOf(name) });
  return {
    location: `bucket ${Bucket} of ${config.endpoint ?? 'AWS'}`,
    readInstanceId: (signal) => withCatalogueErrors(readInstanceId(client, Bucket, signal)),
    writeInstanceId: (id) => withCatalogueErrors(writeInstanceId(client, Bucket, id)),
    has: (name) => withCatalogueErrors(has(at(name), name)),
    quarantine: s3Quarantine({ client, Bucket }),
    write: (name, content, options) =>
      withCatalogueErrors(withAbort(content, options.signal, () => writeContent(at(name), content, options))),
    read: (name, range) =>
      withCatalogueErrors(orQuarantined(at(name), name, (location) => read(location, range))),
    stat: (name) => withCatalogueErrors(orQuarantined(at(name), name, headContent)),
    copy: (from, to) =>
      withCatalogueErrors(orQuarantined(at(from), from, ({ Key }) => copyContent(Key, at(to)))),
    remove: (names) => withCatalogueErrors(remove(client, Bucket, names)),
    beginParts: (name, options) => withCatalogueErrors(beginParts(at(name), options)),
    writePart: (part, content, options) =>
      withCatalogueErrors(
        withAbort(content, options.signal, () => writePart(at(part), part, content, options)),
      ),
    completeParts: (upload, parts) => withCatalogueErrors(completeParts(at(upload), upload, parts)),
    abortParts: (upload) => withCatalogueErrors(abortParts(at(upload), upload.uploadId)),
    list: (before) => listContent(client, Bucket, before),
    close: async () => client.destroy(),
  };
}

function createClient({ endpoint, region, forcePathStyle, credentials }: S3StoreConfig): S3Client {
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(credentials !== undefined && { credentials }),
    region,
    forcePathStyle,
    // Disables checksums that not every store supports.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  });
}

async function withCatalogueErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw storeError(error);
  }
}

/** Destroys the content stream when `signal` aborts, because a pending read does not observe the signal. */
async function withAbort<Result>(
  content: Readable,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const abort = () => content.destroy(signal?.reason instanceof Error ? signal.reason : undefined);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Runs `work` on content in its place, or in quarantine if it is not there. */
async function orQuarantined<Result>(
  location: ObjectLocation,
  name: ContentName,
  work: (location: ObjectLocation) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(location);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const Key = await findQuarantined(location, name);
    if (Key === undefined) throw error;
    return work({ ...location, Key });
  }
}

async function has(location: ObjectLocation, name: ContentName): Promise<boolean> {
  try {
    await orQuarantined(location, name, headContent);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return nameOf(error) === 'NoSuchKey' || nameOf(error) === 'NotFound';
}

async function read(
  { client, Bucket, Key }: ObjectLocation,
  range: ByteRange | undefined,
): Promise<Readable> {
  const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`;
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range }));
  if (Body === undefined) throw failure('NoSuchKey');
  return Body as Readable;
}

async function remove(client: S3Client, Bucket: string, names: readonly ContentName[]): Promise<void> {
  if (names.length <= MAX_SINGLE_REMOVALS) {
    await Promise.all(
      names.map((name) => client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }))),
    );
    return;
  }
  for (let start = 0; start < names.length; start += MAX_REMOVALS_PER_REQUEST) {
    const Objects = names
      .slice(start, start + MAX_REMOVALS_PER_REQUEST)
      .map((name) => ({ Key: keyOf(name) }));
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
    );
    const [refused] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
    if (refused !== undefined)
      throw failure('InternalError', {
        message: 'The object store did not remove all content',
        cause: refused,
      });
  }
}

async function beginParts(
  { client, Bucket, Key }: ObjectLocation,
  options: Omit<WriteOptions, 'maxBytes'>,
): Promise<string> {
  const command = new CreateMultipartUploadCommand({ Bucket, Key, ...headersOf(options) });
  const { UploadId } = await client.send(command, abortable(options.signal));
  if (UploadId === undefined)
    throw failure('InternalError', { message: 'The object store did not start the upload' });
  return UploadId;
}

async function abortParts({ client, Bucket, Key }: ObjectLocation, UploadId: string): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
  } catch (error) {
    if (nameOf(error) !== 'NoSuchUpload') throw error;
  }
}
