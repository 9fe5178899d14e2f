import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuild } from '@greenroom/builds';
import { expect, it } from 'vitest';
import { PROGRAM_FOLDER, programBuild } from './plan.ts';

const run = promisify(execFile);

it('the bundle contains all code of the command line', async () => {
  await ensureBuild(programBuild(), () => {});
  const entry = join(PROGRAM_FOLDER, 'main.js');
  // Without support for TypeScript, Node.js cannot load a source.
  const { stdout } = await run(process.execPath, ['--no-experimental-strip-types', entry, 'version']);
  expect(stdout).toMatch(/^greenroom \d+\.\d+\.\d+\n$/);
});

it('the bundle requires no files beside it, which packages have only in node_modules', async () => {
  await ensureBuild(programBuild(), () => {});
  const files = chunksFrom('main.js');
  const requiring = [...files].flatMap(([, text]) =>
    Array.from(text.matchAll(/\brequire\(['"]\.[^)]*\)/g), ([call]) => call),
  );
  expect(files.size).toBeGreaterThan(10);
  expect(requiring).toEqual([]);
});

/** Returns the texts of a chunk and of those that it imports. The folder also has chunks of older programs. */
function chunksFrom(entry: string): Map<string, string> {
  const texts = new Map<string, string>();
  const waiting = [entry];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (texts.has(name)) continue;
    const text = readFileSync(join(PROGRAM_FOLDER, name), 'utf8');
    texts.set(name, text);
    for (const [, imported = ''] of text.matchAll(
      /(?:\bfrom|\bimport|\bimport\()\s*["']\.\/([\w.-]+\.js)["']/g,
    ))
      waiting.push(imported);
  }
  return texts;
}
