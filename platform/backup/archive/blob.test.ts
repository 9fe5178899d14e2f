import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DataKey, decodeBlob, encodeBlob, MAX_PLAIN_BYTES } from './blob.ts';

const KEY: DataKey = { id: randomBytes(16), bytes: randomBytes(32) };
const NAME = 'chunks/ab/abcdef';
const find = async () => KEY;
const damaged = { kind: 'damaged', message: expect.stringContaining(`${NAME} is damaged: `) };

describe.each([
  ['encrypted', KEY, find],
  ['not encrypted', undefined, undefined],
] as const)('a blob that is %s', (kind, key, finder) => {
  it('decodes to the bytes that were encoded', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 5000 }),
      // Compressible.
      fc
        .tuple(fc.uint8Array({ maxLength: 20 }), fc.nat(2000))
        .map(([some, times]) => Buffer.concat(Array.from({ length: times }, () => some))),
    );
    const name = fc.stringMatching(/^[a-z0-9/._-]{1,60}$/);
    await fc.assert(
      fc.asyncProperty(name, bytes, async (given, plain) => {
        const decoded = await decodeBlob(given, await encodeBlob(given, plain, key), finder);
        expect(decoded.equals(plain)).toBe(true);
      }),
    );
  });

  it('is rejected after the change of any bit', async () => {
    for (const plain of [Buffer.from('some bytes'), Buffer.alloc(500, 'compressible ')]) {
      const bytes = await encodeBlob(NAME, plain, key);
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(decodeBlob(NAME, changed, finder), `bit ${bit}`).rejects.toMatchObject(damaged);
      }
    }
  });

  it('is rejected at any other length', async () => {
    const bytes = await encodeBlob(NAME, Buffer.from('some bytes'), key);
    for (let length = 0; length < bytes.length; length++)
      await expect(decodeBlob(NAME, bytes.subarray(0, length), finder)).rejects.toMatchObject(damaged);
    const longer = Buffer.concat([bytes, Buffer.alloc(1)]);
    await expect(decodeBlob(NAME, longer, finder)).rejects.toMatchObject(damaged);
  });

  it('is rejected under any other name', async () => {
    const plain = Buffer.from('some bytes');
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), async (left, right) => {
        fc.pre(left !== right);
        const bytes = await encodeBlob(left, plain, key);
        await expect(decodeBlob(right, bytes, finder)).rejects.toMatchObject({ kind: 'damaged' });
      }),
    );
  });

  it('is rejected in an archive of the other kind', async () => {
    const bytes = await encodeBlob(NAME, Buffer.from('some bytes'), key);
    await expect(decodeBlob(NAME, bytes, finder === undefined ? find : undefined)).rejects.toMatchObject({
      kind: 'damaged',
      message: `${NAME} is damaged: it is ${kind}, unlike the archive`,
    });
  });

  it('is small if its content is compressible, and hardly larger than content that is not', async () => {
    const large = Buffer.alloc(MAX_PLAIN_BYTES);
    expect((await encodeBlob(NAME, large, key)).length).toBeLessThan(10_000);
    const random = randomBytes(100_000);
    expect((await encodeBlob(NAME, random, key)).length).toBe(random.length + 33 + (key ? 16 : 32));
    expect((await decodeBlob(NAME, await encodeBlob(NAME, large, key), finder)).equals(large)).toBe(true);
  });

  it('cannot have more than 16 MiB', async () => {
    const bytes = Buffer.alloc(MAX_PLAIN_BYTES + 1);
    await expect(encodeBlob(NAME, bytes, key)).rejects.toThrow('16777216');
  });
});

it('two blobs of the same content have no common bytes after the key id', async () => {
  const plain = Buffer.alloc(500, 'same');
  const [left, right] = [await encodeBlob(NAME, plain, KEY), await encodeBlob(NAME, plain, KEY)];
  expect(left.subarray(0, 21)).toEqual(right.subarray(0, 21));
  expect(left.subarray(21, 33)).not.toEqual(right.subarray(21, 33));
  expect(left.subarray(33)).not.toEqual(right.subarray(33));
});

it('is rejected with another key', async () => {
  const bytes = await encodeBlob(NAME, Buffer.from('some bytes'), KEY);
  const other = async () => ({ ...KEY, bytes: randomBytes(32) });
  await expect(decodeBlob(NAME, bytes, other)).rejects.toMatchObject(damaged);
});
