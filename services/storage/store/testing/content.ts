/** Creates and reads content in tests of stores. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ContentName, ObjectStore, StoredContent, WriteOptions } from '../object-store.ts';
import type { SweepOptions } from '../sweep.ts';

/** Default options of a write. */
export const ANY_WRITE: WriteOptions = {
  maxBytes: Number.POSITIVE_INFINITY,
  contentType: 'application/octet-stream',
  cacheControl: 'no-cache',
};

/** Returns a new name. */
export function newName(key = 'folder/file name.bin'): ContentName {
  return { bucket: 'bucket', key, version: randomUUID() };
}

/** Streams bytes in chunks of the size of a socket's. */
export function streamOf(bytes: Buffer, chunkBytes = 60_000): Readable {
  function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Readable.from(chunks(), { objectMode: false });
}

/** Returns random bytes. */
export function newBytes(length: number): Buffer {
  return randomBytes(length);
}

/** Returns the MD5 in hexadecimal. */
export function md5Of(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** Reads a stream to its end. */
export async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray());
}

/** Options of a sweep that treats all content as old, without a limit of orphans. */
export function anySweep(findReferenced: SweepOptions['findReferenced']): SweepOptions {
  return {
    before: new Date(Date.now() + 3_600_000),
    findReferenced,
    maxOrphans: Number.POSITIVE_INFINITY,
    quarantinedUploads: new Set(),
    now: new Date(),
  };
}

/** Collects the items of all batches. */
export async function flattened<Item>(batches: AsyncIterable<Item[]>): Promise<Item[]> {
  const all = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

/** Returns the sorted versions of all content outside of quarantine. */
export async function versionsIn(
  store: ObjectStore,
  kind: StoredContent['kind'] = 'content',
): Promise<string[]> {
  const found = await flattened(store.list(new Date(Date.now() + 3_600_000)));
  return found
    .filter((one) => one.kind === kind)
    .map((one) => (one.kind === 'content' ? one.name.version : one.upload.version))
    .toSorted();
}
