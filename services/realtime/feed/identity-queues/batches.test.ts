import { expect, it, vi } from 'vitest';
import { combineBatches, type QueuedBatch, type QueueItem } from './batches.ts';

function batchOf(count: number, since = 0): QueuedBatch {
  const items = Array.from({ length: count }, () => ({}) as QueueItem);
  return { items, since, done: vi.fn() };
}

it('returns nothing for an empty queue', () => {
  expect(combineBatches([])).toBeUndefined();
});

it('combines batches in their order up to the limit, and leaves the others', () => {
  const batches = [batchOf(200, 1), batchOf(300, 2), batchOf(1, 3)];
  const queue = [...batches];
  const combined = combineBatches(queue);
  expect(combined?.items).toEqual([...(batches[0]?.items ?? []), ...(batches[1]?.items ?? [])]);
  expect(combined?.since).toBe(1);
  expect(queue).toEqual([batches[2]]);
  combined?.done();
  expect(batches.map(({ done }) => vi.mocked(done).mock.calls.length)).toEqual([1, 1, 0]);
});

it('returns a first batch above the limit alone', () => {
  const batches = [batchOf(501), batchOf(1)];
  const queue = [...batches];
  expect(combineBatches(queue)).toBe(batches[0]);
  expect(queue).toEqual([batches[1]]);
});
