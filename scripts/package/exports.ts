/** The exports of the package, which follow from those of the workspace `cli/`. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.ts';

/** Exports for pages: sources, which Vite compiles as a part of a product's build. Node.js loads none of them. */
const PAGE_ENTRIES: Readonly<Record<string, string>> = {
  './app': 'app/product/index.ts',
  './app/server': 'app/product/index.server.ts',
};
/** Parts of pages, which a file of a product that replaces one of them may import. */
const ORIGINALS = 'app/{features,routes,shell,texts,ui}/**/*.{ts,tsx}';
const NO_ORIGINAL = /\.(test|server)\.tsx?$|[\\/]testing[\\/]/;

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
  const pages = Object.entries(pageExports()).map(([subpath, source]) => [
    subpath,
    { types: `./${TYPES_FOLDER}/${source.replace(/\.tsx?$/, '.d.ts')}`, default: `./${source}` },
  ]);
  return { ...Object.fromEntries([...entries, ...pages]), './package.json': './package.json' };
}

/** Returns the sources of the exports for pages, relative to the repository. */
export function pageExports(): Record<string, string> {
  const originals = globSync(ORIGINALS, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !NO_ORIGINAL.test(file))
    .toSorted()
    .map((file) => [`./${file.replace(/\.tsx?$/, '')}`, file]);
  return { ...PAGE_ENTRIES, ...Object.fromEntries(originals) };
}

function nodeExports(): [string, string][] {
  return Object.entries(manifest().exports ?? {}).filter(([, source]) => source.endsWith('.ts'));
}

/** The name of the file of an export: `index` for the package, otherwise the subpath. */
function nameOf(subpath: string): string {
  return subpath === '.' ? 'index' : subpath.slice('./'.length).replaceAll('/', '-');
}
