/** Tests the quarantine, the limit of a sweep and the id of the instance, for disk and S3 stores. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContentName, ObjectStore, PartsName } from './object-store.ts';
import { type MaintenanceOptions, maintainQuarantine } from './quarantine.ts';
import { sweep } from './sweep.ts';
import {
  ANY_WRITE,
  anySweep,
  bytesOf,
  flattened,
  newBytes,
  newName,
  streamOf,
  versionsIn,
} from './testing/content.ts';
import { type OpenedStore, TEST_STORES } from './testing/open-stores.ts';

const DAY_MS = 86_400_000;
const BYTES = newBytes(70_000);

const nothing = async () => new Set<string>();
const all = async (versions: readonly string[]) => new Set(versions);

describe.each(TEST_STORES)('content %s', (where, openOne) => {
  let opened: OpenedStore;
  let store: ObjectStore;
  beforeAll(async () => {
    opened = await openOne();
    store = opened.store;
  });
  afterAll(() => opened.close());
  beforeEach(() => opened.empty());

  async function write(name = newName()): Promise<ContentName> {
    await store.write(name, streamOf(BYTES), ANY_WRITE);
    return name;
  }

  async function beginUpload() {
    const name = newName();
    const upload = { ...name, uploadId: await store.beginParts(name, ANY_WRITE) };
    const { eTag } = await store.writePart({ ...upload, partNumber: 1 }, streamOf(BYTES), ANY_WRITE);
    return { name, upload, parts: [{ partNumber: 1, eTag }] };
  }

  const quarantineAll = (now = new Date()) => sweep(store, { ...anySweep(nothing), now });
  const listQuarantine = () => flattened(store.quarantine.list());
  const maintain = (options: Partial<MaintenanceOptions>) =>
    maintainQuarantine(store, { findReferenced: nothing, removeBefore: undefined, ...options });
  const read = async (name: ContentName) => bytesOf(await store.read(name));
  const absent = { code: 'NoSuchKey' };

  it('in quarantine is not listed, but can be read, described, found and copied', async () => {
    const name = await write();
    const noon = new Date('2027-01-31T12:00:00Z');
    expect(await quarantineAll(noon)).toEqual({ total: 1, orphans: 1, quarantined: 1, isOverLimit: false });
    expect(await versionsIn(store)).toEqual([]);
    expect(await listQuarantine()).toMatchObject([
      { kind: 'content', version: name.version, since: new Date('2027-01-31T00:00:00Z') },
    ]);
    expect((await read(name)).equals(BYTES)).toBe(true);
    expect(await bytesOf(await store.read(name, { start: 5, end: 9 }))).toEqual(BYTES.subarray(5, 10));
    expect((await store.stat(name)).size).toBe(BYTES.length);
    expect(await store.has(name)).toBe(true);
    const copy = newName();
    await store.copy(name, copy);
    expect((await read(copy)).equals(BYTES)).toBe(true);
    expect(await versionsIn(store)).toEqual([copy.version]);
  });

  it('is restored if a row refers to it again', async () => {
    const [referenced, other] = [await write(), await write(newName('a/b/other.bin'))];
    await quarantineAll();
    const findReferenced = async () => new Set([referenced.version]);
    expect(await maintain({ findReferenced })).toMatchObject({ restored: 1, removed: 0 });
    expect(await versionsIn(store)).toEqual([referenced.version]);
    expect((await listQuarantine()).map(({ version }) => version)).toEqual([other.version]);
    expect((await read(referenced)).equals(BYTES)).toBe(true);
    await store.remove([referenced]);
    await expect(store.read(referenced)).rejects.toMatchObject(absent);
  });

  it('is removed from quarantine only after its retention time', async () => {
    const [early, late] = [newName(), newName()];
    const now = new Date('2027-03-10T23:59:00Z');
    await write(early);
    await quarantineAll(now);
    await write(late);
    await quarantineAll(new Date(now.getTime() + DAY_MS));
    expect(await maintain({ removeBefore: undefined })).toMatchObject({ removed: 0 });
    expect(await maintain({ removeBefore: new Date('2027-03-10T00:00:00Z') })).toMatchObject({ removed: 0 });
    expect(
      await maintain({ removeBefore: new Date('2027-03-10T00:00:01Z'), findReferenced: all }),
    ).toMatchObject({
      restored: 2,
      removed: 0,
    });
    await sweep(store, { ...anySweep(async () => new Set([late.version])), now });
    expect(await maintain({ removeBefore: new Date('2027-03-10T00:00:01Z') })).toMatchObject({ removed: 1 });
    expect(await store.has(early)).toBe(false);
    await expect(store.read(early)).rejects.toMatchObject(absent);
    expect(await store.has(late)).toBe(true);
    expect(await listQuarantine()).toEqual([]);
  });

  it('in parts can continue after its row is back, and is aborted after its retention time', async () => {
    // Passed explicitly, because the test server does not list uploads.
    const quarantine = async (upload: PartsName) => {
      expect(await store.quarantine.put([{ kind: 'parts', upload }], new Date())).toBe(1);
      expect(await listQuarantine()).toMatchObject([{ kind: 'parts', version: upload.version }]);
    };
    const { name, upload, parts } = await beginUpload();
    await quarantine(upload);
    expect([...(await maintain({})).quarantinedUploads]).toEqual([name.version]);
    expect(await maintain({ findReferenced: all })).toMatchObject({ restored: 1 });
    expect(await listQuarantine()).toEqual([]);
    await store.completeParts(upload, parts);
    expect((await read(name)).equals(BYTES)).toBe(true);

    const other = await beginUpload();
    await quarantine(other.upload);
    expect(await maintain({ removeBefore: new Date(Date.now() + DAY_MS) })).toMatchObject({ removed: 1 });
    expect(await listQuarantine()).toEqual([]);
    await expect(store.completeParts(other.upload, other.parts)).rejects.toMatchObject({
      code: 'NoSuchUpload',
    });
    expect(await versionsIn(store, 'parts')).toEqual([]);
  });

  it.each([
    ['at the limit', 3, false],
    ['above the limit', 2, true],
  ])('without a row %s is quarantined or held back as a whole', async (_, maxOrphans, isOverLimit) => {
    const names = await Promise.all(Array.from({ length: 5 }, () => write()));
    const known = new Set(names.slice(0, 2).map(({ version }) => version));
    const swept = await sweep(store, { ...anySweep(async () => known), maxOrphans });
    expect(swept).toEqual({ total: 5, orphans: 3, quarantined: isOverLimit ? 0 : 3, isOverLimit });
    expect(await versionsIn(store)).toHaveLength(isOverLimit ? 5 : 2);
  });

  it('without a row is quarantined above the limit if it is one percent of all', async () => {
    const names = await Promise.all(Array.from({ length: 100 }, () => write()));
    const known = new Set(names.slice(1).map(({ version }) => version));
    const swept = await sweep(store, { ...anySweep(async () => known), maxOrphans: 0 });
    expect(swept).toEqual({ total: 100, orphans: 1, quarantined: 1, isOverLimit: false });
  });

  it('is moved once when two sweeps run concurrently', async () => {
    await Promise.all(Array.from({ length: 20 }, () => write()));
    const results = await Promise.all([quarantineAll(), quarantineAll()]);
    for (const { total } of results) expect(total).toBeLessThanOrEqual(20);
    expect(await versionsIn(store)).toEqual([]);
    expect(await listQuarantine()).toHaveLength(20);
    const findReferenced = all;
    await Promise.all([maintain({ findReferenced }), maintain({ findReferenced })]);
    expect(await versionsIn(store)).toHaveLength(20);
    expect(await listQuarantine()).toEqual([]);
  });

  it('is kept apart from the id of the instance', async () => {
    expect(await store.readInstanceId()).toBeUndefined();
    await store.writeInstanceId('one');
    await store.writeInstanceId('two');
    expect(await store.readInstanceId()).toBe('two');
    expect(await versionsIn(store)).toEqual([]);
    // Every bucket and key that a client may choose has other names.
    const names = [
      { ...newName('instance-id'), bucket: '.greenroom' },
      { ...newName('quarantine/b/k'), bucket: '.greenroom' },
    ];
    for (const name of names) await write(name);
    expect(await versionsIn(store)).toEqual(names.map(({ version }) => version).toSorted());
    expect(await listQuarantine()).toEqual([]);
    await quarantineAll();
    expect(await listQuarantine()).toHaveLength(2);
    expect(await store.readInstanceId()).toBe('two');
    for (const name of names) expect((await read(name)).equals(BYTES)).toBe(true);
  });

  it.runIf(where === 'on disk')('in quarantine is removed with its row', async () => {
    const name = await write();
    await quarantineAll();
    await store.remove([name]);
    expect(await store.has(name)).toBe(false);
    expect(await listQuarantine()).toEqual([]);
  });

  it.runIf(where === 'on disk')('that is still growing can continue after its row is back', async () => {
    const name = newName();
    const half = BYTES.subarray(0, 1000);
    await store.growing?.append(name, 0, half);
    expect(await quarantineAll()).toMatchObject({ quarantined: 1 });
    await expect(store.growing?.append(name, half.length, BYTES.subarray(1000))).rejects.toThrow();
    await maintain({ findReferenced: all });
    await store.growing?.append(name, half.length, BYTES.subarray(1000));
    await store.growing?.finish(name);
    expect((await read(name)).equals(BYTES)).toBe(true);
  });

  it.runIf(where === 'in an S3 store')('whose key is too long for quarantine is not moved', async () => {
    const name = newName('k'.repeat(960));
    await write(name);
    expect(await quarantineAll()).toMatchObject({ orphans: 1, quarantined: 0 });
    expect(await versionsIn(store)).toEqual([name.version]);
  });
});
