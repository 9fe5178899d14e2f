import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Archive } from '../archive.ts';
import { createTestArchive, createTestFolder, type TestFolder } from '../testing/archives.ts';
import { putRound, readRound, readRoundReferences } from './round.ts';

const NAME = 'content/1-1/20261127T101500Z-000001';
const ENTRIES = [{ version: 'a' }, { version: 'b\n' }];
const REFERENCES = randomBytes(64);

let place: TestFolder;
let archive: Archive;

beforeAll(async () => {
  place = await createTestFolder();
  archive = await createTestArchive(place.store, { passphrase: 'test' });
});
afterAll(() => place.close());

it.each([
  ['entries', ENTRIES, REFERENCES],
  ['nothing', [], Buffer.alloc(0)],
])('a round of %s is read with a key, and its references without one', async (_name, entries, references) => {
  await putRound(archive, NAME, entries, references);
  expect(await readRound(archive, NAME, (entry) => entry)).toEqual(entries);
  expect(await readRoundReferences(place.store, NAME)).toEqual(references);
});

it('the change of any byte is noticed, and that of the references also without a key', async () => {
  await putRound(archive, NAME, ENTRIES, REFERENCES);
  const bytes = await place.store.get(NAME);
  const damaged = { kind: 'damaged', message: expect.stringContaining(NAME) };
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    await place.store.put(NAME, changed);
    await expect(readRound(archive, NAME, (entry) => entry)).rejects.toMatchObject(damaged);
    if (at < 4 + 4 + 32 + REFERENCES.length)
      await expect(readRoundReferences(place.store, NAME)).rejects.toMatchObject(damaged);
  }
});

it('references of another round with their checksum are noticed with a key', async () => {
  await putRound(archive, NAME, ENTRIES, REFERENCES);
  const start = 4 + 4 + 32 + REFERENCES.length;
  const own = await place.store.get(NAME);
  await putRound(archive, NAME, ENTRIES, randomBytes(64));
  const other = await place.store.get(NAME);
  await place.store.put(NAME, Buffer.concat([other.subarray(0, start), own.subarray(start)]));
  await expect(readRound(archive, NAME, (entry) => entry)).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('its references were changed'),
  });
});

it('an invalid entry is reported as damage', async () => {
  await putRound(archive, NAME, ENTRIES, REFERENCES);
  const read = readRound(archive, NAME, () => {
    throw new TypeError('unknown entry');
  });
  await expect(read).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('unknown entry'),
  });
});
