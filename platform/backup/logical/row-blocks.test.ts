import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { CHUNK_BYTES } from '../archive/chunks/chunk-writer.ts';
import { rowBlocks } from './row-blocks.ts';

const line = (number: number) => `${number}\tsome text of row ${number * 7919}\n`;
const linesOf = (numbers: readonly number[]) => Buffer.from(numbers.map(line).join(''));
const range = (count: number) => Array.from({ length: count }, (_, number) => number);

async function* inParts(bytes: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function blocksOf(bytes: Buffer, partLength = 65_536) {
  const blocks: { bytes: Buffer; rows: number }[] = [];
  for await (const block of rowBlocks(inParts(bytes, partLength))) blocks.push(block);
  return blocks;
}

it('blocks contain all bytes and count the rows, wherever the parts of the output end', async () => {
  const bytes = linesOf(range(100_000));
  const checksumsOf = async (length: number) =>
    (await blocksOf(bytes, length)).map((block) => [block.bytes.length, crc32(block.bytes), block.rows]);
  const expected = await blocksOf(bytes);
  expect(Buffer.concat(expected.map((block) => block.bytes)).equals(bytes)).toBe(true);
  expect(expected.reduce((sum, { rows }) => sum + rows, 0)).toBe(100_000);
  const checksums = await checksumsOf(65_536);
  for (const length of [977, 65_537, bytes.length]) expect(await checksumsOf(length)).toEqual(checksums);
});

it('an added row changes one block', async () => {
  const rows = range(200_000);
  const before = new Set((await blocksOf(linesOf(rows))).map(({ bytes }) => bytes.toString('latin1')));
  const after = await blocksOf(linesOf([...rows.slice(0, 50_000), 1, ...rows.slice(50_000)]));
  expect(before.size).toBeGreaterThan(10);
  expect(after.filter(({ bytes }) => !before.has(bytes.toString('latin1')))).toHaveLength(1);
});

it('a row that is longer than a chunk is cut', async () => {
  const bytes = Buffer.from(`1\n${'x'.repeat(3 * CHUNK_BYTES)}\n2\n`);
  const blocks = await blocksOf(bytes);
  expect(Buffer.concat(blocks.map((block) => block.bytes)).equals(bytes)).toBe(true);
  expect(Math.max(...blocks.map((block) => block.bytes.length))).toBe(CHUNK_BYTES);
  expect(blocks.reduce((sum, { rows }) => sum + rows, 0)).toBe(3);
});

it('no rows make no block', async () => {
  expect(await blocksOf(Buffer.alloc(0))).toEqual([]);
});
