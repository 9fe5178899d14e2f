/** The exports of the package, which follow from those of the workspace `cli/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** Entries below this subpath are sources for the bundler of pages. */
const PAGES = './app';

/** Folder of the package with the types of its exports. */
export const TYPES_FOLDER = 'cli/types';

interface Manifest {
  version: string;
  exports?: Record<string, string>;
}

function manifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'cli', 'package.json'), 'utf8'));
}

/** Version of the repository. */
export function repositoryVersion(): string {
  return manifest().version;
}

/** Returns the sources of the exports for Node.js, by the names of their files in the bundle. */
export function exportedEntries(): Record<string, string> {
  return Object.fromEntries(
    nodeExports().map(([subpath, source]) => [nameOf(subpath), join(ROOT, 'cli', source)]),
  );
}

/** Returns the `exports` of the package's manifest. */
export function packageExports(): Record<string, unknown> {
  const entries = nodeExports().map(([subpath]) => [
    subpath,
    { types: `./${TYPES_FOLDER}/${nameOf(subpath)}.d.ts`, default: `./cli/build/${nameOf(subpath)}.js` },
  ]);
  return { ...Object.fromEntries(entries), './package.json': './package.json' };
}

function nodeExports(): [string, string][] {
  return Object.entries(manifest().exports ?? {}).filter(
    ([subpath, source]) => !subpath.startsWith(PAGES) && source.endsWith('.ts'),
  );
}

/** The name of the file of an export: `index` for the package, otherwise the subpath. */
function nameOf(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-');
}
