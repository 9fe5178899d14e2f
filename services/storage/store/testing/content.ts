/** Content for tests of stores. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ContentName, WriteOptions } from '../object-store.ts';

/** Of writes that nothing is special about. */
export const ANY_WRITE: WriteOptions = {
  maxBytes: Number.POSITIVE_INFINITY,
  contentType: 'application/octet-stream',
  cacheControl: 'no-cache',
};

/** A name that nothing has yet. */
export function newName(key = 'folder/file name.bin'): ContentName {
  return { bucket: 'bucket', key, version: randomUUID() };
}

/** A stream of chunks as a socket would give them. */
export function streamOf(bytes: Buffer, chunkBytes = 60_000): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** Bytes that no other content has. */
export function newBytes(length: number): Buffer {
  return randomBytes(length);
}

/** In hexadecimal. */
export function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** All of a stream. */
export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}
