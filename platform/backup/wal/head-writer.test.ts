import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestArchive, createTestFolder, type TestFolder } from '../archive/testing/archives.ts';
import type { ArchiveStore } from '../store/archive-store.ts';
import { readHead } from './head.ts';
import { HeadWriter } from './head-writer.ts';

const LINEAGE = { systemId: '7000000000000000001', timeline: 1 };

let place: TestFolder;
beforeEach(async () => {
  place = await createTestFolder();
});
afterEach(() => place.close());

/** Opens a writer for a log without a head. */
async function open(store: ArchiveStore): Promise<HeadWriter> {
  const heads = new HeadWriter(await createTestArchive(store));
  await heads.open(LINEAGE);
  return heads;
}

/** The log up to a position, whose time has that many seconds. */
function covered(position: bigint) {
  return { position, coveredTime: new Date(Number(position) * 1000), contentTime: undefined };
}

/** Returns the ends of the log before the gaps that the head of the archive records. */
async function recorded(): Promise<bigint[] | undefined> {
  const head = await readHead(place.store, LINEAGE);
  return head?.beforeGaps.map(({ position }) => position);
}

it('log that was read before a gap is no log after it', async () => {
  const heads = await open(place.store);
  await heads.write(LINEAGE, covered(10n));
  heads.addGap(20n);
  await heads.write(LINEAGE, covered(12n));
  expect(await recorded()).toEqual([]);
  await heads.write(LINEAGE, covered(21n));
  expect(await recorded()).toEqual([12n]);
  await heads.write(LINEAGE, covered(22n));
  expect(await recorded()).toEqual([12n]);
});

it('two gaps before the next head are recorded, with the log between them', async () => {
  const heads = await open(place.store);
  await heads.write(LINEAGE, covered(10n));
  heads.addGap(20n);
  heads.addGap(30n);
  await heads.write(LINEAGE, covered(25n));
  expect(await recorded()).toEqual([10n]);
  await heads.write(LINEAGE, covered(31n));
  expect(await recorded()).toEqual([10n, 25n]);
});

it('two gaps without a head between them are recorded as one', async () => {
  const heads = await open(place.store);
  await heads.write(LINEAGE, covered(10n));
  heads.addGap(20n);
  heads.addGap(30n);
  await heads.write(LINEAGE, covered(31n));
  expect(await recorded()).toEqual([10n]);
});

it('a gap that is found while a head is written is recorded by a later head', async () => {
  let duringPut = () => {};
  const store: ArchiveStore = {
    ...place.store,
    async put(name, bytes) {
      duringPut();
      await place.store.put(name, bytes);
    },
  };
  const heads = await open(store);
  await heads.write(LINEAGE, covered(10n));
  heads.addGap(20n);
  duringPut = () => heads.addGap(30n);
  await heads.write(LINEAGE, covered(25n));
  duringPut = () => {};
  await heads.write(LINEAGE, covered(31n));
  expect(await recorded()).toEqual([10n, 25n]);
});

it('a gap is recorded by the next head after one that could not be stored', async () => {
  let isAway = false;
  const store: ArchiveStore = {
    ...place.store,
    async put(name, bytes) {
      if (isAway) throw new Error('away');
      await place.store.put(name, bytes);
    },
  };
  const heads = await open(store);
  await heads.write(LINEAGE, covered(10n));
  heads.addGap(20n);
  isAway = true;
  await expect(heads.write(LINEAGE, covered(25n))).rejects.toThrow('away');
  isAway = false;
  await heads.write(LINEAGE, covered(26n));
  expect(await recorded()).toEqual([10n]);
});
