import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { copyString } from './copy-string.ts';
import { Usage } from './query/limits.ts';
import { parseSelect } from './query/select.ts';
import { contentLocationOf } from './respond/headers.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const TIMES = 300;
const LENGTH = 60_000;

/** Returns the heap bytes retained after `remember` stored a part of each of many long texts. */
function retainedBytes(store: (part: string, i: number) => unknown): number {
  const retained: unknown[] = [];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < TIMES; i += 1) {
    // As a URL is read: one piece of memory, of which a part is cut out.
    const url = Buffer.from(`column_of_a_long_name_${i},${'x'.repeat(LENGTH)}`).toString();
    retained.push(store(url.slice(0, url.indexOf(',')), i));
  }
  collectGarbage();
  const bytes = process.memoryUsage().heapUsed - before;
  expect(retained).toHaveLength(TIMES);
  return bytes;
}

it('returns an equal text', () => {
  for (const text of ['', 'id', 'größe,日本', '😀']) expect(copyString(text)).toBe(text);
});

it.each<[what: string, remember: (part: string, i: number) => unknown]>([
  ['a copy', (part) => copyString(part)],
  ['a select item', (part) => parseSelect(part, new Usage())],
  ['a Content-Location', (part, i) => contentLocationOf(`relation_${i}`, [['select', part]]).length],
])('%s does not retain the text that it was cut from', (_, store) => {
  expect(retainedBytes((part) => part)).toBeGreaterThan((TIMES * LENGTH) / 2);
  expect(retainedBytes(store)).toBeLessThan((TIMES * LENGTH) / 10);
});
