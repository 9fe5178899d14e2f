import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Pairs of one place that live long, then as many bytes of pairs that do not: how much is made in the old space of these. */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { allocateYoung } from './young-allocations.ts';
  if (process.argv[1] === 'young') allocateYoung();
  const oldBytes = () => getHeapSpaceStatistics().find((each) => each.space_name === 'old_space').space_used_size;
  const pairOf = (a, b) => [a, b];
  let pairs = [];
  const keep = () => { for (let i = 0; i < 20_000; i += 1) pairs.push(pairOf(i, i)); };
  for (let turn = 0; turn < 60; turn += 1) {
    if (turn % 20 === 0) pairs = [];
    keep();
  }
  pairs = [];
  const drop = () => { for (let i = 0; i < 10_000; i += 1) globalThis.last = pairOf(i, i); };
  const before = oldBytes();
  for (let turn = 0; turn < 20; turn += 1) drop();
  console.log(oldBytes() - before);
`;

/** Of 200,000 pairs of 64 bytes. The young space is small, so that it is collected often; one thread does the same each time. */
async function oldBytesOf(how: string): Promise<number> {
  const words = [
    '--max-semi-space-size=1',
    '--single-threaded',
    '--input-type=module',
    '--eval',
    SCRIPT,
    how,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname });
  return Number(stdout);
}

it('is needed: V8 allocates short-lived objects in the old space if the same code has allocated long-lived ones', async () => {
  expect(await oldBytesOf('as ever')).toBeGreaterThan(10_000_000);
});

it('allocates them in the young space', async () => {
  expect(await oldBytesOf('young')).toBeLessThan(3_000_000);
});
