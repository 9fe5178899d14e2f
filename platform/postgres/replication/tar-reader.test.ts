import { execFileSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOCK_BYTES, type TarBlock, TarReader } from './tar-reader.ts';

const CONTENTS: Readonly<Record<string, Buffer>> = {
  empty: Buffer.alloc(0),
  'name with spaces': Buffer.from('x'),
  'one record': Buffer.alloc(512, 'r'),
  'folder/two blocks': Buffer.alloc(BLOCK_BYTES + 700, 'b'),
};
let folder: string;
let archive: Buffer;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'greenroom-tar-'));
  mkdirSync(join(folder, 'folder'));
  for (const [name, content] of Object.entries(CONTENTS))
    writeFileSync(join(folder, name), content, { mode: 0o640 });
  symlinkSync('/somewhere else', join(folder, 'link'));
  archive = execFileSync('tar', ['--format=ustar', '-cf', '-', '.'], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function readParts(parts: readonly Buffer[]): TarBlock[] {
  const blocks: TarBlock[] = [];
  const reader = new TarReader((block) => blocks.push(block));
  for (const part of parts) reader.push(part);
  reader.end();
  return blocks;
}

/** Returns a hash of each file, because comparing large buffers takes long. */
function hashesOf(blocks: readonly TarBlock[]): Record<string, string> {
  const hashes = new Map<string, Hash>();
  for (const { entry, bytes } of blocks) {
    if (entry.type !== 'file') continue;
    const hash = hashes.get(entry.path) ?? createHash('sha256');
    hashes.set(entry.path, hash.update(bytes));
  }
  return Object.fromEntries(Array.from(hashes, ([path, hash]) => [path, hash.digest('hex')]));
}

const EXPECTED = Object.fromEntries(
  Object.entries(CONTENTS).map(([path, content]) => [
    path,
    createHash('sha256').update(content).digest('hex'),
  ]),
);

describe('an archive of tar', () => {
  it('is read as the files that it was made of', () => {
    const blocks = readParts([archive]);
    expect(hashesOf(blocks)).toEqual(EXPECTED);
    const entries = new Map(blocks.map(({ entry }) => [entry.path, entry]));
    expect(entries.get('empty')).toEqual({ path: 'empty', type: 'file', mode: 0o640, size: 0, target: '' });
    expect(entries.get('folder')).toMatchObject({ type: 'directory', size: 0 });
    expect(entries.get('link')).toMatchObject({ type: 'link', target: '/somewhere else' });
    const offsets = blocks.filter(({ entry }) => entry.path === 'folder/two blocks').map((b) => b.offset);
    expect(offsets).toEqual([0, BLOCK_BYTES]);
  });

  it('is read the same in parts of any sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sizes, (pattern) => {
        const parts: Buffer[] = [];
        for (let from = 0; from < archive.length; ) {
          const size = pattern[parts.length % pattern.length] ?? 1;
          // A copy, because the reader must not keep the bytes of its caller.
          parts.push(archive.subarray(from, from + Math.max(size, 100)));
          from += Math.max(size, 100);
        }
        expect(hashesOf(readParts(parts))).toEqual(EXPECTED);
      }),
      { numRuns: 10 },
    );
  });

  it('owns the bytes that it returns', () => {
    const part = Buffer.from(archive);
    const blocks = readParts([part]);
    part.fill(0);
    expect(hashesOf(blocks)).toEqual(EXPECTED);
  });

  it.each([
    ['a changed header', (bytes: Buffer) => bytes.writeUInt8(1, 5), 'damaged'],
    ['an unknown type', (bytes: Buffer) => bytes.write('3', 156), 'damaged'],
  ])('with %s is rejected', (_, change, message) => {
    const bytes = Buffer.from(archive);
    change(bytes);
    expect(() => readParts([bytes])).toThrow(message);
  });

  it.each([
    ['a header', 300, 'within a header'],
    ['a file', 0, 'within folder/two blocks'],
  ])('that ends within %s is rejected', (_, length, message) => {
    const end = length || archive.indexOf(Buffer.alloc(600, 'b')) + 600;
    expect(() => readParts([archive.subarray(0, end)])).toThrow(message);
  });
});

/** Returns a header with a size in binary, as tar writes it for files from 8 GiB. */
function largeHeader(size: bigint): Buffer {
  const header = Buffer.alloc(512);
  header.write('base/5/large', 0);
  header.write('0000600\0', 100);
  header.writeUInt8(0x80, 124);
  header.writeBigUInt64BE(size, 128);
  header.write('0', 156);
  const sum = header.reduce((total, byte) => total + byte, 8 * 0x20);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

it('reads sizes that are too large for octal digits', () => {
  const blocks: TarBlock[] = [];
  const reader = new TarReader((block) => blocks.push(block));
  reader.push(largeHeader(9_000_000_000n));
  reader.push(Buffer.alloc(BLOCK_BYTES));
  expect(blocks).toMatchObject([{ entry: { path: 'base/5/large', mode: 0o600, size: 9_000_000_000 } }]);
});
