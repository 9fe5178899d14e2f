/** Tests the common behaviour of stores, for disk and S3. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContentName, ObjectStore, StoredContent } from './object-store.ts';
import { partsETag } from './parts-e-tag.ts';
import { sweep } from './sweep.ts';
import {
  ANY_WRITE,
  anySweep,
  bytesOf,
  flattened,
  md5Of,
  newBytes,
  newName,
  streamOf,
} from './testing/content.ts';
import { type OpenedStore, TEST_STORES } from './testing/open-stores.ts';

const MEBIBYTE = 1024 * 1024;
/** S3 stores accept a smaller part only as the last one. */
const PART_BYTES = 5 * MEBIBYTE;

const inOneHour = () => new Date(Date.now() + 3_600_000);

function listAll(store: ObjectStore, before = inOneHour()): Promise<StoredContent[]> {
  return flattened(store.list(before));
}

function versionsOf(found: readonly StoredContent[], kind: StoredContent['kind']): string[] {
  return found
    .filter((one) => one.kind === kind)
    .map((one) => (one.kind === 'content' ? one.name.version : one.upload.version));
}

describe.each(TEST_STORES)('content %s', (where, openOne) => {
  let opened: OpenedStore;
  let store: ObjectStore;
  beforeAll(async () => {
    opened = await openOne();
    store = opened.store;
  });
  afterAll(() => opened.close());

  const expectNothing = (name: ContentName) =>
    expect(store.read(name)).rejects.toMatchObject({ code: 'NoSuchKey' });

  it.each([0, 1, 4096, 65_536, MEBIBYTE, MEBIBYTE + 1, 3 * MEBIBYTE, 9 * MEBIBYTE + 7])(
    'of %i bytes is read unchanged',
    async (length) => {
      const name = newName();
      const bytes = newBytes(length);
      const written = await store.write(name, streamOf(bytes), ANY_WRITE);
      expect(written.size).toBe(length);
      expect((await bytesOf(await store.read(name))).equals(bytes)).toBe(true);
      const stat = await store.stat(name);
      expect(stat.size).toBe(length);
      expect(stat.eTag).toBe(written.eTag);
      expect(Math.abs(stat.lastModified.getTime() - written.lastModified.getTime())).toBeLessThan(60_000);
    },
  );

  it.each([0, 5000, 3 * MEBIBYTE])('of %i bytes has the MD5 as its ETag', async (length) => {
    const bytes = newBytes(length);
    const { eTag } = await store.write(newName(), streamOf(bytes), ANY_WRITE);
    expect(eTag).toBe(`"${md5Of(bytes)}"`);
  });

  it('is written from chunks of any size', async () => {
    const bytes = newBytes(2 * MEBIBYTE + 5);
    for (const chunkBytes of [61, 16_384, MEBIBYTE, bytes.length]) {
      const name = newName();
      await store.write(name, streamOf(bytes, chunkBytes), ANY_WRITE);
      expect(md5Of(await bytesOf(await store.read(name)))).toBe(md5Of(bytes));
    }
  });

  it.each(["a//b/../c'd$&@=;:+,?!.png", '../../../etc/passwd', '/', 'a b/(c)*'])(
    'may have any key: %s',
    async (key) => {
      const name = newName(key);
      const bytes = newBytes(100);
      // The test server resolves paths like a file system.
      if (where === 'in an S3 store' && (key.includes('..') || key === '/')) return;
      await store.write(name, streamOf(bytes), ANY_WRITE);
      expect((await bytesOf(await store.read(name))).equals(bytes)).toBe(true);
    },
  );

  const ranged = newName();
  const rangedBytes = newBytes(MEBIBYTE);
  it.each([
    [0, 0],
    [0, 99],
    [5, 70_000],
    [65_535, 65_536],
    [1000, MEBIBYTE - 1],
    [MEBIBYTE - 1, MEBIBYTE - 1],
    [0, MEBIBYTE - 1],
  ])('is read from byte %i to %i', async (start, end) => {
    if (start === 0 && end === 0) await store.write(ranged, streamOf(rangedBytes), ANY_WRITE);
    const bytes = await bytesOf(await store.read(ranged, { start, end }));
    expect(bytes.equals(rangedBytes.subarray(start, end + 1))).toBe(true);
  });

  it.each([100, 2 * MEBIBYTE, 9 * MEBIBYTE])('that is larger than %i bytes is rejected', async (maxBytes) => {
    const name = newName();
    const content = streamOf(newBytes(maxBytes + MEBIBYTE));
    await expect(store.write(name, content, { ...ANY_WRITE, maxBytes })).rejects.toMatchObject({
      code: 'EntityTooLarge',
    });
    await expectNothing(name);
    expect(content.destroyed, 'a request must still be answered').toBe(false);
    await store.write(name, streamOf(newBytes(maxBytes)), { ...ANY_WRITE, maxBytes });
  });

  it.each([10, 2 * MEBIBYTE, 9 * MEBIBYTE])(
    'whose sender disconnects after %i bytes is not stored',
    async (sent) => {
      const name = newName();
      const content = new PassThrough();
      const written = store.write(name, content, ANY_WRITE);
      content.write(newBytes(sent), () => content.destroy(new Error('gone')));
      await expect(written).rejects.toThrow('gone');
      await expectNothing(name);
    },
  );

  it('is not stored when the write was aborted', async () => {
    const name = newName();
    const content = new PassThrough();
    const abort = new AbortController();
    const written = store.write(name, content, { ...ANY_WRITE, signal: abort.signal });
    content.write(newBytes(2 * MEBIBYTE), () => abort.abort(new Error('enough')));
    await expect(written).rejects.toThrow('enough');
    await expectNothing(name);
    await expect(
      store.write(name, streamOf(newBytes(1)), { ...ANY_WRITE, signal: abort.signal }),
    ).rejects.toThrow('enough');
  });

  it('that does not exist is reported as NoSuchKey', async () => {
    await expectNothing(newName());
    await expect(store.stat(newName())).rejects.toMatchObject({ code: 'NoSuchKey' });
    await expect(store.copy(newName(), newName())).rejects.toMatchObject({ code: 'NoSuchKey' });
  });

  it('is copied, and copies are removed independently', async () => {
    const [from, to] = [newName('from'), newName('to')];
    const bytes = newBytes(70_000);
    await store.write(from, streamOf(bytes), ANY_WRITE);
    await store.copy(from, to);
    await store.remove([from]);
    await expectNothing(from);
    expect((await bytesOf(await store.read(to))).equals(bytes)).toBe(true);
  });

  it('is removed in any number, even if it does not exist', async () => {
    const names = Array.from({ length: 20 }, () => newName());
    for (const name of names.slice(0, 12)) await store.write(name, streamOf(newBytes(10)), ANY_WRITE);
    await store.remove(names);
    for (const name of names.slice(0, 12)) await expectNothing(name);
    await store.remove([newName()]);
    await store.remove([]);
  });

  it('can be read while it is removed', async () => {
    const name = newName();
    const bytes = newBytes(300_000);
    await store.write(name, streamOf(bytes), ANY_WRITE);
    const reading = await store.read(name);
    // An S3 store starts sending, and a file exists until it is closed.
    if (where === 'on disk') await store.remove([name]);
    expect((await bytesOf(reading)).equals(bytes)).toBe(true);
  });

  describe('in parts', () => {
    const begin = async (name: ContentName) => {
      const uploadId = await store.beginParts(name, ANY_WRITE);
      return { ...name, uploadId };
    };
    const anyPart = { maxBytes: Number.POSITIVE_INFINITY };

    it('is joined in the given order', async () => {
      const name = newName();
      const upload = await begin(name);
      const contents = [newBytes(PART_BYTES), newBytes(PART_BYTES + 3), newBytes(17)];
      const parts = [];
      for (const partNumber of [3, 1, 2]) {
        const bytes = contents[partNumber - 1] as Buffer;
        const { eTag, size } = await store.writePart({ ...upload, partNumber }, streamOf(bytes), anyPart);
        expect({ eTag, size }).toEqual({ eTag: `"${md5Of(bytes)}"`, size: bytes.length });
        parts.push({ partNumber, eTag });
      }
      await expectNothing(name);
      parts.sort((one, other) => one.partNumber - other.partNumber);
      const stat = await store.completeParts(upload, parts);
      const whole = Buffer.concat(contents);
      expect(stat.eTag).toBe(partsETag(parts));
      expect(stat.size).toBe(whole.length);
      expect(md5Of(await bytesOf(await store.read(name)))).toBe(md5Of(whole));
      expect(versionsOf(await listAll(store), 'parts')).not.toContain(name.version);
    });

    it('of one part equals that part, and completion is idempotent', async () => {
      const name = newName();
      const upload = await begin(name);
      const bytes = newBytes(1000);
      const { eTag } = await store.writePart({ ...upload, partNumber: 1 }, streamOf(bytes), anyPart);
      const parts = [{ partNumber: 1, eTag }];
      const first = await store.completeParts(upload, parts);
      expect((await store.completeParts(upload, parts)).eTag).toBe(first.eTag);
      expect((await bytesOf(await store.read(name))).equals(bytes)).toBe(true);
    });

    it('consists of the most recently written version of each part', async () => {
      const name = newName();
      const upload = await begin(name);
      const part = { ...upload, partNumber: 1 };
      await store.writePart(part, streamOf(newBytes(50)), anyPart);
      const bytes = newBytes(60);
      const { eTag } = await store.writePart(part, streamOf(bytes), anyPart);
      await store.completeParts(upload, [{ partNumber: 1, eTag }]);
      expect((await bytesOf(await store.read(name))).equals(bytes)).toBe(true);
    });

    it.each([100, 9 * MEBIBYTE])('rejects a part of more than %i bytes', async (maxBytes) => {
      const upload = await begin(newName());
      const part = { ...upload, partNumber: 1 };
      const bytes = newBytes(maxBytes + 1);
      const refused = { code: 'EntityTooLarge' };
      await expect(store.writePart(part, streamOf(bytes), { maxBytes })).rejects.toMatchObject(refused);
      await expect(
        store.writePart(part, streamOf(bytes), { maxBytes, bytes: bytes.length }),
      ).rejects.toMatchObject(refused);
      await store.abortParts(upload);
    });

    it('accepts large parts of known or unknown length', async () => {
      const upload = await begin(newName());
      const bytes = newBytes(9 * MEBIBYTE);
      const part = { ...upload, partNumber: 1 };
      const known = await store.writePart(part, streamOf(bytes), { ...anyPart, bytes: bytes.length });
      const unknown = await store.writePart(part, streamOf(bytes), anyPart);
      expect(unknown).toMatchObject({ size: bytes.length, eTag: known.eTag });
      await store.abortParts(upload);
    });

    it('is rejected if a part is missing', async () => {
      const upload = await begin(newName());
      const missing = { code: 'MissingPart' };
      await expect(store.completeParts(upload, [])).rejects.toMatchObject(missing);
      const { eTag } = await store.writePart({ ...upload, partNumber: 1 }, streamOf(newBytes(9)), anyPart);
      const other = `"${md5Of(newBytes(1))}"`;
      await expect(
        store.completeParts(upload, [
          { partNumber: 1, eTag },
          { partNumber: 2, eTag: other },
        ]),
      ).rejects.toMatchObject(missing);
      await store.abortParts(upload);
    });

    it('that was aborted does not exist', async () => {
      const upload = await begin(newName());
      await store.writePart({ ...upload, partNumber: 1 }, streamOf(newBytes(9)), anyPart);
      await store.abortParts(upload);
      await store.abortParts(upload);
      const part = { partNumber: 1, eTag: `"${md5Of(newBytes(1))}"` };
      const absent = { code: 'NoSuchUpload' };
      await expect(store.completeParts(upload, [part])).rejects.toMatchObject(absent);
      await expect(
        store.writePart({ ...upload, partNumber: 1 }, streamOf(newBytes(9)), anyPart),
      ).rejects.toMatchObject(absent);
    });
  });

  describe('is listed', () => {
    it('when it is older than the given time', async () => {
      const name = newName();
      await store.write(name, streamOf(newBytes(3)), ANY_WRITE);
      expect(versionsOf(await listAll(store), 'content')).toContain(name.version);
      expect(await listAll(store, new Date(Date.now() - 3_600_000))).toEqual([]);
    });

    it('as new after it was copied, even if its bytes are old', async () => {
      const [from, to] = [newName(), newName()];
      await store.write(from, streamOf(newBytes(3)), ANY_WRITE);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      const before = new Date(Date.now() - 50);
      await store.copy(from, to);
      expect(versionsOf(await listAll(store, before), 'content')).not.toContain(to.version);
    });
  });

  it('is quarantined by a sweep only without a row', async () => {
    const names = Array.from({ length: 12 }, () => newName());
    for (const name of names) await store.write(name, streamOf(newBytes(5)), ANY_WRITE);
    const referenced = new Set(names.slice(0, 4).map(({ version }) => version));
    const requested: string[] = [];
    const findReferenced = async (versions: readonly string[]) => {
      requested.push(...versions);
      return referenced;
    };
    await sweep(store, { ...anySweep(findReferenced), before: new Date(Date.now() - 3_600_000) });
    expect(requested, 'what is young is nobody else’s business').toEqual([]);
    const swept = await sweep(store, anySweep(findReferenced));
    expect(swept.quarantined).toBeGreaterThanOrEqual(8);
    expect(swept).toMatchObject({ isOverLimit: false, orphans: swept.quarantined });
    for (const name of names.slice(0, 4)) expect((await store.stat(name)).size).toBe(5);
    expect(new Set(versionsOf(await listAll(store), 'content'))).toEqual(referenced);
    await store.quarantine.remove(await flattened(store.quarantine.list()));
    for (const name of names.slice(4)) await expectNothing(name);
  });

  it('with an invalid version does not exist', async () => {
    for (const version of ['../../../../etc/passwd', '', randomUUID().toUpperCase()]) {
      if (where === 'in an S3 store') continue;
      await expectNothing({ ...newName(), version });
      await store.remove([{ ...newName(), version }]);
    }
  });
});
