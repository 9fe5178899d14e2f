import { execFile } from 'node:child_process';
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
