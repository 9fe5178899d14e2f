import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { logItems } from './log-lines.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-log-'));
  path = join(folder, 'greenroom.log');
});
afterEach(() => rm(folder, { recursive: true }));

it('logItems yields the existing lines, also one without an end', async () => {
  await writeFile(path, 'one\ntwo ü\nthree');
  const items = [];
  const options = { follows: false, signal: new AbortController().signal };
  for await (const item of logItems(path, options)) items.push(item);
  expect(items).toEqual(['one', 'two ü', 'three'].map((text) => ({ kind: 'line', text })));
});

it('logItems yields new lines when they are complete, also of a file that replaces the former one', async () => {
  await writeFile(path, 'one\n');
  const stop = new AbortController();
  const items = logItems(path, { follows: true, signal: stop.signal });
  const next = async () => (await items.next()).value;
  expect(await next()).toEqual({ kind: 'line', text: 'one' });
  expect(await next()).toEqual({ kind: 'caught-up' });

  const second = next();
  await appendFile(path, 'tw');
  await appendFile(path, 'o\nlast of the file\n');
  expect(await second).toEqual({ kind: 'line', text: 'two' });
  await rename(path, `${path}.1`);
  await writeFile(path, 'three\n');
  expect(await next()).toEqual({ kind: 'line', text: 'last of the file' });
  expect(await next()).toEqual({ kind: 'line', text: 'three' });

  const end = next();
  stop.abort();
  expect(await end).toBeUndefined();
});
