/** Writing chunks and indexes, and reading them. */
import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ArchiveError } from '../../errors.ts';
import type { ArchiveStore } from '../../store/archive-store.ts';
import { listAll } from '../../store/list-all.ts';
import type { Archive } from '../archive.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../testing/archives.ts';
import { chunkName, idsIn } from './chunk-ids.ts';
import { createChunkReader, type Piece } from './chunk-reader.ts';
import { CHUNK_BYTES, createChunkWriter } from './chunk-writer.ts';
import { readIndex, writeIndex } from './index-file.ts';
import { listChunks } from './list-chunks.ts';

let place: TestFolder;
let archive: Archive;

beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
});
afterEach(() => place.close());

const newWriter = async (given = archive) => createChunkWriter(given, await listChunks(given.store));
const same = (value: unknown) => value;

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** An archive whose store counts and holds puts. */
function observed(put: (name: string, bytes: Uint8Array) => Promise<void>): Promise<Archive> {
  const store: ArchiveStore = { ...place.store, put, putLater: put };
  return createTestArchive(store, { passphrase: 'test' });
}

it('a chunk is stored once, and read with its content', async () => {
  const [first, second] = [randomBytes(CHUNK_BYTES), randomBytes(10)];
  const writer = await newWriter();
  const ids = [await writer.write(first), await writer.write(second), await writer.write(first)];
  await writer.finish();
  expect(ids[0]).toBe(ids[2]);
  const stored = await listAll(place.store, 'chunks/');
  expect(stored.map(({ name }) => name)).toEqual([...new Set(ids.map(chunkName))].toSorted());
  const storedBytes = stored.reduce((sum, { size }) => sum + size, 0);
  expect(writer.counts).toEqual({ chunks: 2, storedChunks: 2, storedBytes });
  expect([...idsIn(writer.references())]).toEqual([...new Set(ids)].toSorted());
  const reader = createChunkReader(archive);
  expect((await reader.read(ids[0] ?? '')).equals(first)).toBe(true);
  expect(await reader.read(ids[1] ?? '')).toEqual(second);
});

it('a second run stores only new chunks and refers to all', async () => {
  const [old, fresh] = [randomBytes(100), randomBytes(100)];
  const first = await newWriter();
  const oldId = await first.write(old);
  await first.finish();
  const second = await newWriter();
  expect(second.has(oldId)).toBe(true);
  await second.write(old);
  const freshId = await second.write(fresh);
  await second.finish();
  expect(second.counts).toMatchObject({ chunks: 2, storedChunks: 1 });
  expect([...idsIn(second.references())]).toEqual([oldId, freshId].toSorted());
});

it('chunks of an earlier backup are recorded without their content, if they exist', async () => {
  const first = await newWriter();
  const id = await first.write(randomBytes(100));
  await first.finish();
  const second = await newWriter();
  second.reuse(id);
  second.reuse(id);
  await second.finish();
  expect(second.counts).toEqual({ chunks: 1, storedChunks: 0, storedBytes: 0 });
  expect([...idsIn(second.references())]).toEqual([id]);
  expect(() => second.reuse('00'.repeat(32))).toThrow('does not exist');
});

it('chunks of a store that does not sort its list are found', async () => {
  const writer = await newWriter();
  const ids: string[] = [];
  for (let index = 0; index < 20; index++) ids.push(await writer.write(randomBytes(100)));
  await writer.finish();
  const listed = (await listAll(place.store, 'chunks/')).toReversed();
  const store: ArchiveStore = {
    ...place.store,
    async *list() {
      yield listed;
    },
  };
  const found = await listChunks(store);
  expect(ids.filter((id) => !found.has(id))).toEqual([]);
  expect([...idsIn(found.toBuffer())]).toEqual(ids.toSorted());
});

it('a chunk that was cut to nothing is written again', async () => {
  const plain = randomBytes(100);
  const first = await newWriter();
  const id = await first.write(plain);
  await first.finish();
  await truncate(join(place.folder, chunkName(id)), 0);
  const second = await newWriter();
  await second.write(plain);
  await second.finish();
  expect(second.counts.storedChunks).toBe(1);
  expect(await createChunkReader(archive).read(id)).toEqual(plain);
});

it('at most 16 chunks are stored at the same time, and a full writer waits', async () => {
  const waiting: (() => void)[] = [];
  const writer = await newWriter(
    await observed(async (name, bytes) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      await place.store.put(name, bytes);
    }),
  );
  let accepted = 0;
  const written = (async () => {
    for (let index = 0; index < 40; index++) {
      await writer.write(randomBytes(10));
      accepted++;
    }
    await writer.finish();
  })();
  await expect.poll(() => waiting.length).toBe(16);
  expect(accepted).toBe(16);
  waiting.shift()?.();
  await expect.poll(() => accepted).toBe(17);
  const release = setInterval(() => waiting.shift()?.(), 1);
  await written;
  clearInterval(release);
  expect(writer.counts.storedChunks).toBe(40);
});

it('an error of the store is reported by the next write and at the end', async () => {
  const full = new ArchiveError('full', 'no space');
  const writer = await newWriter(await observed(() => Promise.reject(full)));
  await writer.write(randomBytes(10));
  await expect(writer.finish()).rejects.toBe(full);
  await expect(writer.write(randomBytes(10))).rejects.toBe(full);
  expect(writer.counts.storedChunks).toBe(0);
});

it('pieces are streamed in their order', async () => {
  const writer = await newWriter();
  const chunks = Array.from({ length: 40 }, () => randomBytes(1000));
  const ids: string[] = [];
  for (const chunk of chunks) ids.push(await writer.write(chunk));
  await writer.finish();
  const reader = createChunkReader(archive);
  const place = fc.record({ index: fc.nat(39), offset: fc.nat(900), length: fc.nat(100) });
  await fc.assert(
    fc.asyncProperty(fc.array(place, { maxLength: 60 }), async (places) => {
      const pieces = places.map(({ index, offset, length }): Piece => [ids[index] ?? '', offset, length]);
      const expected = places.map(({ index, offset, length }) =>
        (chunks[index] ?? Buffer.alloc(0)).subarray(offset, offset + length),
      );
      const read = await collect(reader.stream(pieces));
      expect(Buffer.concat(read).equals(Buffer.concat(expected))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it('a stream names a chunk that is missing, damaged or too short', async () => {
  const writer = await newWriter();
  const id = await writer.write(randomBytes(100));
  await writer.finish();
  const reader = createChunkReader(archive);
  const streamed = (piece: Piece) => collect(reader.stream([[id, 0, 5], piece]));
  const missing = 'ab'.repeat(32);
  await expect(streamed([missing, 0, 1])).rejects.toMatchObject({
    kind: 'missing',
    message: expect.stringContaining(chunkName(missing)),
  });
  await expect(streamed([id, 90, 20])).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining(chunkName(id)),
  });
  // Content under the id of other content.
  await archive.putBlob(chunkName(missing), Buffer.from('other content'));
  await expect(streamed([missing, 0, 1])).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('another id'),
  });
});

it('an index contains its values in their order', async () => {
  const value = fc.record({ path: fc.string(), size: fc.nat(), pieces: fc.array(fc.nat()) });
  const reader = createChunkReader(archive);
  await fc.assert(
    fc.asyncProperty(fc.array(value), async (values) => {
      const writer = await newWriter();
      const ids = await writeIndex(writer, values);
      await writer.finish();
      expect(await collect(readIndex(reader, ids, same))).toEqual(values);
      expect(ids).toHaveLength(values.length > 0 ? 1 : 0);
    }),
    { numRuns: 30 },
  );
});

it('an index of several chunks has lines that cross their ends, and lines longer than a chunk', async () => {
  const values = [
    ...Array.from({ length: 3000 }, (_, index) => ({ path: `file ${index}`, hash: 'ä'.repeat(index % 700) })),
    { path: 'long', hash: 'x'.repeat(3 * CHUNK_BYTES) },
    { path: 'last' },
  ];
  const writer = await newWriter();
  const ids = await writeIndex(writer, values);
  await writer.finish();
  expect(ids.length).toBeGreaterThan(4);
  const reader = createChunkReader(archive);
  expect((await reader.read(ids[0] ?? '')).length).toBe(CHUNK_BYTES);
  expect(await collect(readIndex(reader, ids, same))).toEqual(values);
  const incomplete = collect(readIndex(reader, ids.slice(0, -1), same));
  await expect(incomplete).rejects.toMatchObject({ kind: 'damaged' });
});

it('an index with an invalid line is reported with the number of the line', async () => {
  const writer = await newWriter();
  const ids = await writeIndex(writer, [1, 2, 'three']);
  await writer.finish();
  const read = readIndex(createChunkReader(archive), ids, (value) => {
    if (typeof value !== 'number') throw new TypeError('a number is expected');
    return value;
  });
  await expect(collect(read)).rejects.toMatchObject({
    kind: 'damaged',
    message: 'an index is damaged: line 3 is invalid: a number is expected',
  });
});
