/** Uploads the content of one file: whole if it is small, otherwise in parts that are repeated after a lost connection. */
import { openAsBlob } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import type { UploadOptions } from 'tus-js-client';
import { notResponding } from '../instance-fetch.ts';
import {
  type ObjectHeaders,
  type RemoteStorage,
  StorageCallError,
  type StorageConnection,
} from './remote-storage.ts';
import type { StoragePath } from './storage-path.ts';

/** Size of a part, as the hosted service recommends, and of the largest file that is uploaded whole. */
const PART_BYTES = 6 * 1024 * 1024;
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000];

type Target = Pick<StoragePath, 'bucket' | 'key'>;

/** Uploads a file. An upload that is aborted leaves nothing behind. */
export async function uploadFile(
  storage: RemoteStorage,
  file: string,
  { bucket, key }: Target,
  headers: ObjectHeaders,
): Promise<void> {
  const { size } = await stat(file);
  if (size <= PART_BYTES) return storage.upload(bucket, key, await readFile(file), headers);
  // Resumable uploads accept no other form.
  const [, seconds] = /^max-age=(\d+)$/.exec(headers.cacheControl) ?? [];
  if (seconds === undefined) {
    const content = (await openAsBlob(file)).stream() as ReadableStream<Uint8Array>;
    return storage.upload(bucket, key, content, headers);
  }
  const { contentType: type, isUpsert } = headers;
  const metadata = { bucketName: bucket, objectName: key, contentType: type, cacheControl: seconds };
  await using handle = await open(file);
  await uploadInParts(storage.connection, { handle, size, metadata, isUpsert });
}

/** A resumable upload. */
interface PartsUpload {
  handle: FileHandle;
  /** In bytes. */
  size: number;
  metadata: Readonly<Record<'bucketName' | 'objectName' | 'contentType' | 'cacheControl', string>>;
  isUpsert: boolean;
}

async function uploadInParts(
  { apiUrl, url, agent, headers, signal }: StorageConnection,
  { handle, size, metadata, isUpsert }: PartsUpload,
): Promise<void> {
  // Loaded with the first large file.
  const { DefaultHttpStack, Upload } = await import('tus-js-client');
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const purpose = `uploading /${metadata.bucketName}/${metadata.objectName} failed`;
  const source = { size, slice: (start: number, end: number) => readPart(handle, start, end), close() {} };
  const options: UploadOptions = {
    endpoint: `${url}/upload/resumable`,
    chunkSize: PART_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    headers: { ...headers, 'x-upsert': String(isUpsert) },
    metadata: { ...metadata },
    fileReader: { openFile: async () => source },
    ...(agent && { httpStack: new DefaultHttpStack({ agent }) }),
    onShouldRetry: (error) => upload.url !== null && isTransient(error),
    onSuccess: () => resolve(),
    onError: (error) => reject(uploadError(error, apiUrl, purpose)),
  };
  const upload = new Upload(Buffer.alloc(0), options);
  const abort = () => {
    // The service deletes unfinished uploads later if this request fails.
    const settle = () => reject(signal.reason);
    upload.abort(true).then(settle, settle);
  };
  signal.addEventListener('abort', abort, { once: true });
  upload.start();
  return promise.finally(() => signal.removeEventListener('abort', abort));
}

/** Reads a part of a file. The client sends `size` as the length of the request. */
async function readPart(handle: FileHandle, start: number, end: number) {
  const { size } = await handle.stat();
  const length = Math.max(0, Math.min(end, size) - start);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
  const value = Object.assign(buffer.subarray(0, bytesRead), { size: bytesRead });
  return { value, done: start + bytesRead >= size };
}

/** An error of the client; its own class is known only after the client was loaded. */
interface UploadError extends Error {
  originalResponse?: { getStatus(): number; getBody(): string } | null;
  causingError?: NodeJS.ErrnoException | null;
}

function uploadError(error: UploadError, apiUrl: string, purpose: string): Error {
  const { originalResponse: response, causingError: cause } = error;
  if (cause?.syscall === 'connect') return notResponding(apiUrl, error);
  if (!response) return new Error(`${purpose}: ${cause?.message ?? error.message}`, { cause: error });
  const message = response.getBody() || error.message;
  return new StorageCallError(purpose, { message, statusCode: String(response.getStatus()) });
}

/** No response, an error of the server, or an upload whose former request still holds its lease. */
function isTransient({ originalResponse }: UploadError): boolean {
  const status = originalResponse?.getStatus() ?? 500;
  return status >= 500 || status === 409 || status === 423;
}
