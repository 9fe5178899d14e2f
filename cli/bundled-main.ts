/**
 * Entry point of the bundled program. Runs the sources instead if they have changed since they were bundled; then
 * `greenroom start` bundles them again.
 */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isUpToDate } from '@greenroom/builds';
import { PROGRAM_FOLDER, programBuild } from './program/plan.ts';

/** Entry point of the sources, which an installed package does not have. */
const SOURCE_ENTRY = join(import.meta.dirname, 'main.ts');

if (existsSync(SOURCE_ENTRY) && !(await isUpToDate(programBuild()))) {
  await import(pathToFileURL(SOURCE_ENTRY).href);
} else {
  // Inside the build, so that it is removed together with the code that it belongs to.
  enableCompileCache(join(PROGRAM_FOLDER, 'compile-cache'));
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
}
