import { expect, it } from 'vitest';
import { releaseMemory } from './release-memory.ts';

it('releases the memory of a large buffer', () => {
  const bytes = Buffer.alloc(100_000);
  const { buffer } = bytes;
  releaseMemory(bytes);
  expect(buffer.detached).toBe(true);
  expect(bytes).toHaveLength(0);
});

it.each([
  ['a buffer that shares its memory', Buffer.alloc(100_000).subarray(1), 99_999],
  ['a small buffer', Buffer.alloc(100), 100],
])('does not change %s', (_, bytes, length) => {
  releaseMemory(bytes);
  expect(bytes).toHaveLength(length);
});
