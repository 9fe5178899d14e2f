import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sourceLocations } from './source-locations.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

it('a bundled module finds files relative to its source', async () => {
  const source = join(folder, 'services', 'place.ts');
  await mkdir(join(folder, 'services'));
  await writeFile(
    source,
    'export const url: string = import.meta.url;\nexport const directory: string = import.meta.dirname;\n',
  );
  const target = join(folder, 'cli', 'build');
  const bundle = await rolldown({ input: source, platform: 'node', plugins: [sourceLocations(target)] });
  await bundle.write({ dir: target, format: 'esm', entryFileNames: 'place.mjs' });
  await bundle.close();
  const { url, directory } = await import(/* @vite-ignore */ pathToFileURL(join(target, 'place.mjs')).href);
  expect(url).toBe(pathToFileURL(source).href);
  expect(directory).toBe(join(folder, 'services'));
});
