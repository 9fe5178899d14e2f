import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { ThreadedHash } from './md5-thread.ts';
import { Slabs } from './slabs.ts';

const BYTES = Buffer.alloc(3_000_000, 'content');

/** A file handle that stores all written bytes in memory. */
function memoryFile() {
  const chunks: Buffer[] = [];
  const write = async (bytes: Buffer, offset: number, length: number) => {
    chunks.push(Buffer.from(bytes.subarray(offset, offset + length)));
    return { bytesWritten: length };
  };
  return { chunks, handle: { write, datasync: async () => {} } as unknown as FileHandle };
}

/** A hash that records the memory that it is given. */
function recordingHash() {
  const memory = new Set<Buffer<ArrayBuffer>>();
  const md5 = createHash('md5');
  const hash: ThreadedHash = {
    update: async (bytes, length) => {
      memory.add(bytes);
      md5.update(bytes.subarray(0, length));
      return bytes;
    },
    digest: async () => md5.digest('hex'),
    drop: () => {},
  };
  return { hash, freed: () => [...memory].map(({ buffer }) => buffer.byteLength === 0) };
}

it('writes and hashes all bytes, and frees its memory at the end', async () => {
  const file = memoryFile();
  const { hash, freed } = recordingHash();
  const slabs = new Slabs(file.handle, hash, () => {});
  for (let at = 0; at < BYTES.length; at += 64_000) await slabs.push(BYTES.subarray(at, at + 64_000));
  expect(await slabs.finish()).toBe(createHash('md5').update(BYTES).digest('hex'));
  expect(Buffer.concat(file.chunks).equals(BYTES)).toBe(true);
  expect(freed()).toEqual([true, true, true, true]);
});
