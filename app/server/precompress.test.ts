import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { precompress } from './precompress.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precompress-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('compresses text and skips files that would not get smaller', async () => {
  const long = 'export const text = "again and again";\n'.repeat(50);
  await writeFile(join(folder, 'long.js'), long);
  await writeFile(join(folder, 'short.js'), 'x');
  await writeFile(join(folder, 'font.woff2'), long);
  await precompress(folder);
  expect((await readdir(folder)).sort()).toEqual([
    'font.woff2',
    'long.js',
    'long.js.br',
    'long.js.gz',
    'short.js',
  ]);
  expect(brotliDecompressSync(await readFile(join(folder, 'long.js.br'))).toString()).toBe(long);
  expect(gunzipSync(await readFile(join(folder, 'long.js.gz'))).toString()).toBe(long);
});
