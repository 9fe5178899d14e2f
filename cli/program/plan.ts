/**
 * The program as few JavaScript files. The sources are more than two thousand modules with their packages; finding,
 * reading and compiling each of them takes most of a start.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildPlan, runBuilder } from '@greenroom/builds';
import { keepOlderChunks } from './older-chunks.ts';

/** Folder of the repository, or of the installed package. */
export const ROOT = join(import.meta.dirname, '..', '..');
const TITLE = 'the program';

/** Whether the program runs from the repository. An installed package contains builds without their sources. */
export const HAS_SOURCES = existsSync(join(ROOT, 'cli', 'main.ts'));

/** Folder of the finished build. Its entry point is `main.js`. */
export const PROGRAM_FOLDER = join(ROOT, 'cli', 'build');

/** Folders with code of the program, and the file with the versions of its packages. */
const SOURCES = ['app', 'cli', 'platform', 'server', 'services', 'package-lock.json'];

/** Returns the plan of the build. */
export function programBuild(): BuildPlan {
  return {
    title: TITLE,
    root: ROOT,
    sources: SOURCES.map((name) => join(ROOT, name)),
    target: PROGRAM_FOLDER,
    async build(into) {
      await runBuilder({ title: TITLE, args: [join(import.meta.dirname, 'bundle.ts'), into], cwd: ROOT });
      await keepOlderChunks(PROGRAM_FOLDER, into);
    },
  };
}
