import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/**
 * Allocates long-lived pairs and then short-lived pairs at one allocation site. Prints by how many bytes the old space has
 * grown because of the short-lived ones.
 */
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

/**
 * Runs the script with 200,000 short-lived pairs of 64 bytes. The young space is small, so that it is collected often; a
 * single thread makes the result reproducible.
 */
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

it('is necessary: V8 allocates short-lived objects in the old space if the same code has allocated long-lived ones', async () => {
  expect(await oldBytesOf('as ever')).toBeGreaterThan(10_000_000);
});

it('allocates short-lived objects in the young space', async () => {
  expect(await oldBytesOf('young')).toBeLessThan(3_000_000);
});
