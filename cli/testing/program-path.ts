/** The program that tests start as a process. */
import { join } from 'node:path';

const CLI = join(import.meta.dirname, '..');

/** `npm test` has built the bundle before, which starts faster; a single test file runs the sources as they are. */
export const PROGRAM_PATH = join(CLI, process.env.GREENROOM_TEST_BUNDLE === 'true' ? 'bin.mjs' : 'main.ts');
