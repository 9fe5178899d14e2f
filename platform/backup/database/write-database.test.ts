import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { CHUNK_BYTES, createChunkWriter } from '../archive/chunks/chunk-writer.ts';
import { readIndex } from '../archive/chunks/index-file.ts';
import { listChunks } from '../archive/chunks/list-chunks.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { type DatabaseEntry, parseDatabaseEntry } from './database-index.ts';
import { DatabaseWriter } from './write-database.ts';

let place: TestFolder;
let archive: Archive;

beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store);
});
afterEach(() => place.close());

const entryOf = (path: string, size: number) =>
  ({ path, type: 'file', mode: 0o600, size, target: '' }) as const;

async function write(files: Readonly<Record<string, Buffer>>) {
  const writer = createChunkWriter(archive, await listChunks(archive.store));
  const database = new DatabaseWriter(writer);
  await database.add({
    entry: { ...entryOf('base', 0), type: 'directory', mode: 0o700 },
    offset: 0,
    bytes: Buffer.alloc(0),
  });
  for (const [path, content] of Object.entries(files)) {
    const entry = entryOf(path, content.length);
    for (let offset = 0; offset === 0 || offset < content.length; offset += CHUNK_BYTES)
      await database.add({ entry, offset, bytes: content.subarray(offset, offset + CHUNK_BYTES) });
  }
  const written = await database.finish();
  await writer.finish();
  return { written, counts: writer.counts };
}

async function read(
  index: readonly string[],
): Promise<{ entries: DatabaseEntry[]; files: Map<string, Buffer> }> {
  const reader = createChunkReader(archive);
  const entries: DatabaseEntry[] = [];
  const files = new Map<string, Buffer>();
  for await (const entry of readIndex(reader, index, parseDatabaseEntry)) {
    entries.push(entry);
    const parts: Buffer[] = [];
    for await (const part of reader.stream(entry.pieces ?? [])) parts.push(part);
    if (entry.pieces) files.set(entry.path, Buffer.concat(parts));
  }
  return { entries, files };
}

it('files of all sizes have their content in the index, in the order of the backup', async () => {
  const files = {
    'base/empty': Buffer.alloc(0),
    'base/1': randomBytes(8192),
    'base/large': randomBytes(2 * CHUNK_BYTES + 5),
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`base/small ${index}`, randomBytes(40_000)]),
    ),
  };
  const { written } = await write(files);
  expect(written.files).toBe(63);
  expect(written.bytes).toBe(Object.values(files).reduce((sum, { length }) => sum + length, 0));
  const { entries, files: found } = await read(written.index);
  expect(entries[0]).toEqual({ path: 'base', mode: 0o700 });
  expect([...found.keys()]).toEqual(Object.keys(files));
  for (const [path, content] of Object.entries(files)) expect(found.get(path)?.equals(content)).toBe(true);
});

it('a second backup stores only changed blocks, and few shared chunks after a small file has grown', async () => {
  const small = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`base/small ${index}`, randomBytes(8192)]),
  );
  const large = randomBytes(4 * CHUNK_BYTES);
  const first = await write({ ...small, large });
  large.fill('x', 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 10);
  const second = await write({ ...small, large, 'base/small 7': randomBytes(16_384) });
  expect(first.counts.storedChunks).toBeGreaterThan(10);
  // The block of the large file, the chunk of the small one, and the index.
  expect(second.counts.storedChunks).toBeLessThanOrEqual(5);
});

it('a link is refused with its path and its target', async () => {
  const database = new DatabaseWriter(createChunkWriter(archive, await listChunks(archive.store)));
  const entry = { ...entryOf('pg_wal', 0), type: 'link', target: '/disk/wal' } as const;
  await expect(database.add({ entry, offset: 0, bytes: Buffer.alloc(0) })).rejects.toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('the link pg_wal to /disk/wal'),
  });
});

it('files of the process that runs the server are left out', async () => {
  const content = Buffer.from('x');
  const names = ['greenroom.lock', 'greenroom.owner', 'greenroom.postmaster.pid', '.s.PGSQL.5432.lock'];
  const { written } = await write(
    Object.fromEntries([...names, 'greenroom.conf'].map((name) => [name, content])),
  );
  expect([...(await read(written.index)).files.keys()]).toEqual(['greenroom.conf']);
});

it.each([
  ['a path out of the cluster', { path: '../x', mode: 0o600, size: 0, pieces: [] }],
  ['an absolute path', { path: '/x', mode: 0o600, size: 0, pieces: [] }],
  ['another size than its pieces', { path: 'x', mode: 0o600, size: 1, pieces: [] }],
  ['a size without pieces', { path: 'x', mode: 0o600, size: 1 }],
])('an entry with %s is invalid', (_, entry) => {
  expect(() => parseDatabaseEntry(entry)).toThrow();
});
