/** Content for tests of stores. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ContentName, ObjectStore, StoredContent, WriteOptions } from '../object-store.ts';
import type { SweepOptions } from '../sweep.ts';

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

/** A sweep that takes all content for old, and has no limit. */
export function anySweep(findKnown: SweepOptions['findKnown']): SweepOptions {
  return {
    before: new Date(Date.now() + 3_600_000),
    findKnown,
    mostOrphans: Number.POSITIVE_INFINITY,
    heldUploads: new Set(),
    now: new Date(),
  };
}

/** All items of all portions. */
export async function flattened<Item>(portions: AsyncIterable<Item[]>): Promise<Item[]> {
  const all = [];
  for await (const portion of portions) all.push(...portion);
  return all;
}

/** Versions of all content in its place, sorted. */
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
