import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import { idsIn } from '../archive/chunks/chunk-ids.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { readRound, readRoundReferences } from '../archive/content/round.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import type { ContentRow } from '../content/backup-content.ts';
import { type ContentEntry, parseContentEntry } from '../content/content-index.ts';
import { listAll } from '../store/list-all.ts';
import { RoundWriter } from './round-writer.ts';

const LINEAGE = '7-1';

let place: TestFolder;
let archive: Archive;

beforeEach(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
});
afterEach(() => place.close());

function rowsOf(count: number, metadata: unknown): ContentRow[] {
  return Array.from({ length: count }, (_, index) => ({
    bucket: 'files',
    key: `${index}.txt`,
    version: randomUUID(),
    metadata,
  }));
}

const open = async ({ key }: ContentRow) => Readable.from([Buffer.from(`content of ${key}`)]);
const namesOfRounds = async () => (await listAll(place.store, 'content/')).map(({ name }) => name);

async function readAll(names: readonly string[]): Promise<ContentEntry[]> {
  const rounds = await Promise.all(names.map((name) => readRound(archive, name, parseContentEntry)));
  return rounds.flat();
}

it.each([
  ['1,000 rows whose values double in JSON', rowsOf(1000, { cacheControl: '"'.repeat(8000) }), 2],
  ['10 rows with 2 MB of metadata each', rowsOf(10, { cacheControl: 'x'.repeat(2_000_000) }), 2],
  ['1,000 rows of usual length', rowsOf(1000, { size: 9 }), 1],
])('%s are stored in as many rounds as their bytes need', async (_name, rows, minimum) => {
  expect(await new RoundWriter(archive, LINEAGE, open).write(rows)).toEqual([]);
  const names = await namesOfRounds();
  expect(names.length).toBeGreaterThanOrEqual(minimum);
  expect(names.length).toBeLessThanOrEqual(2 * minimum);
  const entries = await readAll(names);
  expect(entries.map(({ key }) => key).toSorted()).toEqual(rows.map(({ key }) => key).toSorted());
  const last = entries.find(({ key }) => key === rows.at(-1)?.key);
  const bytes = await buffer(createChunkReader(archive).stream(last?.pieces ?? []));
  expect(bytes.toString()).toBe(`content of ${last?.key}`);
});

it('an entry that has no room in a blob is stored in chunks that its round refers to', async () => {
  const [small, long, other] = rowsOf(3, { size: 9 });
  if (small === undefined || long === undefined || other === undefined) throw new Error('no rows');
  long.key = 'x'.repeat(10_000);
  const writer = new RoundWriter(archive, LINEAGE, open, { maxBytes: 5000 });
  expect(await writer.write([small, long, other])).toEqual([]);
  const names = await namesOfRounds();
  expect(names).toHaveLength(2);
  expect(await readAll(names)).toMatchObject([small, long, other]);
  const needed = new Set(idsIn(await readRoundReferences(place.store, names[0] ?? '')));
  const chunks = (await listAll(place.store, 'chunks/')).map(({ name }) => name.split('/').at(-1));
  // One chunk of content and one of entries in the first round, one of content in the second.
  expect(chunks).toHaveLength(3);
  expect(chunks.filter((id) => needed.has(id ?? ''))).toHaveLength(2);
});

it('a lost chunk of entries is reported as missing', async () => {
  const [row] = rowsOf(1, null);
  if (row === undefined) throw new Error('no row');
  row.key = 'x'.repeat(10_000);
  await new RoundWriter(archive, LINEAGE, open, { maxBytes: 5000 }).write([row]);
  const chunks = await listAll(place.store, 'chunks/');
  await place.store.remove(chunks.map(({ name }) => name));
  await expect(readAll(await namesOfRounds())).rejects.toMatchObject({ kind: 'missing' });
});
