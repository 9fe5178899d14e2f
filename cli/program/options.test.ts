import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputOptions, outputOptions } from './options.ts';

let folder: string;
let source: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-'));
  source = join(folder, 'services', 'place.ts');
  await mkdir(join(folder, 'services'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bundles a source and imports the bundle. */
async function bundled(text: string): Promise<Record<string, unknown>> {
  await writeFile(source, text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const target = join(folder, 'cli', 'build');
  const bundle = await rolldown(inputOptions({ main: source }, target));
  await bundle.write(outputOptions(target));
  await bundle.close();
  return import(/* @vite-ignore */ pathToFileURL(join(target, 'main.js')).href);
}

describe('a bundled module', () => {
  it('finds files relative to its source', async () => {
    const { url, directory } = await bundled(
      'export const url: string = import.meta.url;\nexport const directory: string = import.meta.dirname;\n',
    );
    expect(url).toBe(pathToFileURL(source).href);
    expect(directory).toBe(join(folder, 'services'));
  });

  it('keeps lines, names and licenses, but no other comments', async () => {
    await bundled(`/** @license MIT */
      /** Says hello. */
      export function greet(nameOfGuest: string): string {
        // Without punctuation.
        return \`hello \${nameOfGuest}\`;
      }`);
    const code = await readFile(join(folder, 'cli', 'build', 'main.js'), 'utf8');
    expect(code).toContain('@license MIT');
    expect(code).toMatch(/^function greet\(nameOfGuest\) \{\n\s+return `hello \$\{nameOfGuest\}`;\n\}$/m);
    expect(code).not.toMatch(/Says hello|punctuation/);
  });

  it.each([
    ['decodeURIComponent(text)', '%'],
    ['new URL(text)', 'no URL'],
    ['JSON.parse(text)', '{'],
    ["new RegExp(text, 'u')", '('],
    ['BigInt(text)', 'x'],
    ["new Intl.DateTimeFormat('en', { timeZone: text })", 'Nowhere'],
  ])('keeps the call %s, which throws for wrong input', async (call, wrong) => {
    const { isValid } = await bundled(
      `export function isValid(text: string): boolean {
        try {
          ${call};
          return true;
        } catch {
          return false;
        }
      }`,
    );
    expect((isValid as (text: string) => boolean)(wrong)).toBe(false);
  });
});
