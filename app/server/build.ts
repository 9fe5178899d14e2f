/** The production build of the app. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildPlan, runBuilder } from '@greenroom/builds';
import { APP_FOLDER, BUILD_FOLDER } from './build-folder.ts';
import { recordBuild } from './build-history.ts';
import { writePalettes } from './palettes.ts';
import { precompress } from './precompress.ts';

const TITLE = 'the app';
/** The id of a build is the beginning of its sources' hash. */
const BUILD_ID_LENGTH = 16;

/** Returns the plan of the build: pages for the server, and the browser's files with compressed copies. */
export function appBuild(): BuildPlan {
  const root = fileURLToPath(APP_FOLDER);
  const target = fileURLToPath(BUILD_FOLDER).replace(/[\\/]$/, '');
  return {
    title: TITLE,
    root,
    sources: [root, join(root, '..', 'package-lock.json')],
    target,
    async build(into, hash) {
      await runBundler(root, into);
      await writePalettes(into);
      await precompress(join(into, 'client', 'assets'));
      await recordBuild(into, target, { id: hash.slice(0, BUILD_ID_LENGTH), timestamp: Date.now() });
    },
  };
}

function runBundler(sources: string, into: string): Promise<void> {
  const bin = createRequire(import.meta.url)
    .resolve('@react-router/dev/package.json')
    .replace(/package\.json$/, 'bin.cjs');
  return runBuilder({
    title: TITLE,
    args: [bin, 'build'],
    cwd: sources,
    env: { GREENROOM_APP_BUILD: into },
  });
}
