import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Fills the heap with objects and drops them; prints the size of the heap before and after the collection. */
const SCRIPT = `
  import { compactHeapSoon } from './compact-heap.ts';
  let objects = Array.from({ length: 1_000_000 }, (_, i) => ({ i }));
  objects = undefined;
  const before = process.memoryUsage().heapTotal;
  compactHeapSoon();
  const deadline = Date.now() + 60_000;
  const timer = setInterval(() => {
    const after = process.memoryUsage().heapTotal;
    if (after > before / 2 && Date.now() < deadline) return;
    clearInterval(timer);
    console.log(JSON.stringify({ before, after, gc: typeof globalThis.gc }));
  }, 100);
`;

it('returns the memory of a heap that has become smaller, without offering its collector to other code', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: import.meta.dirname,
  });
  const { before, after, gc } = JSON.parse(stdout) as { before: number; after: number; gc: string };
  expect(after).toBeLessThan(before / 2);
  expect(gc).toBe('undefined');
});
