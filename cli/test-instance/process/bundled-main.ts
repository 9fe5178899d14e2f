/** Entry point of the process of a test instance in the bundle. Runs the sources instead if they have changed since. */
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isUpToDate } from '@greenroom/builds';
import { PROGRAM_FOLDER, programBuild } from '../../program/plan.ts';

/** Entry point of the sources, which an installed package does not have. */
const SOURCE_ENTRY = join(import.meta.dirname, 'main.ts');

if (existsSync(SOURCE_ENTRY) && !(await isUpToDate(programBuild()))) {
  await import(pathToFileURL(SOURCE_ENTRY).href);
} else {
  // Before the modules that keep a reference to `Date`.
  const { moveClock } = await import('./moved-clock.ts');
  enableCompileCache(join(PROGRAM_FOLDER, 'compile-cache'));
  const { runTestInstance } = await import('./run-test-instance.ts');
  await runTestInstance(moveClock);
}
