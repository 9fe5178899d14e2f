/**
 * Entry point of the bundled program. Runs the sources instead if they have changed since they were bundled; then
 * `greenroom start` bundles them again.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isUpToDate } from '@greenroom/builds';
import { HAS_SOURCES, PROGRAM_FOLDER, programBuild } from './program/plan.ts';

if (HAS_SOURCES && !(await isUpToDate(programBuild()))) {
  await import(pathToFileURL(join(import.meta.dirname, 'main.ts')).href);
} else {
  // Inside the build, so that it is removed together with the code that it belongs to.
  enableCompileCache(join(PROGRAM_FOLDER, 'compile-cache'));
  const { runCommandLine } = await import('./command-line.ts');
  await runCommandLine();
}
