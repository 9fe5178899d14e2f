/** The packages that modules load before they run: those that they reach by static imports of values. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { entryPoints } from './import-graph.ts';

/** `import … from '…'`, `import '…'` and `export … from '…'`, except types. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** A file that imports a package. */
interface PackageImport {
  /** Name of the package, without the path of a file in it. */
  name: string;
  /** The files from the entry to the one that imports the package. */
  path: string[];
}

/**
 * Returns each import of a package that is not a workspace, once per importing file, with the shortest path to it.
 * @param root the repository
 * @param folders folders with workspaces
 * @param entries files relative to the repository, with slashes
 */
export function packagesLoadedBy(
  root: string,
  folders: readonly string[],
  entries: readonly string[],
): PackageImport[] {
  const workspaces = entryPoints(root, folders);
  const found: PackageImport[] = [];
  const seen = new Set(entries);
  const paths = entries.map((entry) => [entry]);
  for (const path of paths) {
    const file = path.at(-1) ?? '';
    for (const target of staticImportsOf(join(root, file))) {
      const next = target.startsWith('.') ? posix.join(dirname(file), target) : workspaces.get(target);
      if (next === undefined) found.push({ name: packageOf(target), path });
      else if (!seen.has(next) && existsSync(join(root, next))) {
        seen.add(next);
        paths.push([...path, next]);
      }
    }
  }
  return found;
}

function staticImportsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(STATIC)]
    .map(([, target = '']) => target)
    .filter((target) => !target.startsWith('node:') && !target.startsWith('#'));
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
