import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Archive } from '../archive/archive.ts';
import type { PhysicalManifest } from '../archive/backups/manifest.ts';
import { createChunkReader } from '../archive/chunks/chunk-reader.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import { writeTestBackup } from '../archive/testing/backups.ts';
import { restoreContent } from './restore-content.ts';
import { entriesOfRounds, listRounds } from './rounds.ts';
import { putTestRound } from './testing/put-round.ts';

let place: TestFolder;
let archive: Archive;
let manifest: PhysicalManifest;
let names: string[];

const version = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const contentOf = (number: number) => ({
  row: { version: version(number), bucket: 'files', key: `${number}.txt`, metadata: null },
  bytes: Buffer.from(`content ${number}`),
});

beforeAll(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
  const backup = await writeTestBackup(archive, [], { createdAt: '2026-11-27T10:15:00.900Z' });
  if (backup.kind !== 'physical') throw new Error('the backup has no lineage');
  manifest = backup;
  const put = (time: string, number: number, lineage = manifest) =>
    putTestRound(archive, lineage, {
      time: new Date(`2026-11-27T${time}Z`),
      number,
      contents: [contentOf(number), contentOf(10 + number)],
    });
  names = [await put('10:14:59', 1), await put('10:15:00', 2), await put('10:15:10', 3)];
  await put('10:15:20', 4, { ...manifest, timeline: 2 });
});
afterAll(() => place.close());

it('lists the rounds of the lineage of a backup, from the second of its begin on and before', async () => {
  expect(await listRounds(archive.store, manifest)).toEqual({
    before: names.slice(0, 1),
    after: names.slice(1),
  });
});

it('restores wanted content only, and reads no round after the last wanted content', async () => {
  const wanted = new Set([version(2), version(12)]);
  const written: string[] = [];
  const missing = 'content/1-1/20261127T101530Z-000001';
  await restoreContent({
    reader: createChunkReader(archive),
    entries: entriesOfRounds(archive, [...names.slice(1, 2), missing], wanted),
    wanted,
    target: {
      has: async () => false,
      async write({ key }, content) {
        for await (const bytes of content) written.push(`${key}: ${bytes}`);
      },
    },
  });
  expect(written.toSorted()).toEqual(['12.txt: content 12', '2.txt: content 2']);
  expect(wanted.size).toBe(0);
});

it('rejects with the error of a target', async () => {
  const wanted = new Set([version(3)]);
  const restored = restoreContent({
    reader: createChunkReader(archive),
    entries: entriesOfRounds(archive, names, wanted),
    wanted,
    target: {
      has: async () => false,
      async write() {
        throw new Error('the disk is full');
      },
    },
  });
  await expect(restored).rejects.toThrow('the disk is full');
});
