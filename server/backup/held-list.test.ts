import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NamedContent } from '@greenroom/service';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HeldList } from './held-list.ts';

let folder: string;
let path: string;
const errors: unknown[] = [];
const open = () => new HeldList(path, { onError: (error) => errors.push(error) });
const newContent = (key = 'a.txt'): NamedContent => ({ bucket: 'b', key, version: randomUUID() });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-held-'));
  path = join(folder, 'held.ndjson');
  errors.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

it('has after the end of its process all content that was added and not removed', () => {
  const [first, second, third] = [newContent('ü"\n'), newContent(), newContent()];
  const list = open();
  list.add([first, second]);
  list.add([second, third]);
  list.remove([second.version, randomUUID()]);
  // Not closed, as after a crash.
  expect(open().entries).toEqual([first, third]);
  expect(errors).toEqual([]);
});

it('skips a line that a crash left incomplete, and continues after it', async () => {
  const [first, second] = [newContent(), newContent()];
  open().add([first]);
  await appendFile(path, `["${second.version}","b`);
  const list = open();
  expect(list.entries).toEqual([first]);
  list.add([second]);
  expect(open().entries).toEqual([first, second]);
});

it.each([
  ['no JSON', 'text'],
  ['another value', '{"a":1}'],
  ['a version that is no version', '["../../etc","b","k"]'],
])('skips a line with %s', async (_, line) => {
  await appendFile(path, `${line}\n`);
  expect(open().entries).toEqual([]);
});

it('is empty after it was cleared', async () => {
  const list = open();
  list.add([newContent()]);
  list.clear();
  expect(open().entries).toEqual([]);
  expect((await readFile(path)).length).toBe(0);
});

it('does not grow with content that was removed, and is readable by its owner only', async () => {
  const list = open();
  const kept = newContent();
  list.add([kept]);
  for (let count = 0; count < 6000; count++) {
    const content = newContent();
    list.add([content]);
    list.remove([content.version]);
  }
  const { size, mode } = await stat(path);
  expect(size).toBeLessThan(500_000);
  expect(mode & 0o777).toBe(0o600);
  expect(open().entries).toEqual([kept]);
});

it('reports a file that cannot be written, and keeps working', () => {
  const list = new HeldList(join(folder, 'missing', 'held.ndjson'), {
    onError: (error) => errors.push(error),
  });
  const content = newContent();
  list.add([content]);
  expect(list.entries).toEqual([content]);
  expect(errors).toHaveLength(1);
});
