/**
 * The graph of imports between source files, including type imports, and its cycles: between files, and between the
 * entries of a folder.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** A node → the nodes that it imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Import specifier → file. */
export type Entries = ReadonlyMap<string, string>;

/** Folders of dependencies, of generated code, and of products. */
export const GENERATED = /(^|[\\/])(node_modules|build|\.react-router|e2e[\\/]products)([\\/]|$)/;
const TEST = /\.test\.tsx?$|\/testing\/|\/tests\//;
/** `from '…'`, `import '…'` and `import('…')`. */
const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g;
/** Imports of modules that are loaded with the file: neither types nor `import('…')`. */
export const LOADED = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm;

/**
 * Reads the imports of all source files that are not tests.
 * @param root the repository; nodes are paths relative to it, with slashes
 * @param folders folders with source files
 * @param others entry points in addition to those of the workspaces: import specifier → file
 * @param imports finds the imports of a file, whose specifiers it captures. Default: all
 */
export function importGraph(
  root: string,
  folders: readonly string[],
  others: Entries = new Map(),
  imports: RegExp = IMPORT,
): Graph {
  const found = globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root, exclude: (path) => GENERATED.test(String(path)) },
  ).map((file) => file.replaceAll(sep, '/'));
  const files = new Set(found.filter((file) => !TEST.test(file)));
  const entries = new Map([...entryPoints(root, folders), ...others]);
  return new Map(
    [...files].map((file) => {
      const targets = [...readFileSync(join(root, file), 'utf8').matchAll(imports)]
        .map(([, target = '']) => resolved(root, file, target, entries))
        .filter((target): target is string => target !== undefined && files.has(target));
      return [file, new Set(targets)];
    }),
  );
}

/** Returns the entry points of all workspaces: import specifier → file. */
export function entryPoints(root: string, folders: readonly string[]): Entries {
  const manifests = globSync(
    folders.flatMap((folder) => [`${folder}/package.json`, `${folder}/*/package.json`]),
    { cwd: root, exclude: (path) => GENERATED.test(String(path)) },
  );
  return new Map(
    manifests.flatMap((manifest) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
      return Object.entries(exports as Record<string, string>).map(([subpath, file]): [string, string] => [
        name + subpath.slice(1),
        join(dirname(manifest), file).replaceAll(sep, '/'),
      ]);
    }),
  );
}

function resolved(root: string, file: string, target: string, entries: Entries): string | undefined {
  if (!target.startsWith('.')) return entries.get(target);
  return relative(root, join(root, dirname(file), target)).replaceAll(sep, '/');
}

/** Returns the files that a file imports, also through others, and itself. */
export function reachedFrom(graph: Graph, file: string): ReadonlySet<string> {
  const reached = new Set([file]);
  // The set grows while it is read.
  for (const each of reached) for (const target of graph.get(each) ?? []) reached.add(target);
  return reached;
}

/**
 * Returns a graph for each folder, whose nodes are its direct entries: files, and subfolders with all their contents.
 * An import is an edge in the folder in which the paths of both files diverge.
 */
export function foldersOf(graph: Graph): ReadonlyMap<string, Graph> {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const [file, targets] of graph) {
    for (const target of targets) {
      const from = file.split('/');
      const to = target.split('/');
      const divergence = from.findIndex((name, index) => name !== to[index]);
      const source = from[divergence];
      const destination = to[divergence];
      if (source === undefined || destination === undefined) continue;
      const folder = from.slice(0, divergence).join('/');
      const edges = folders.get(folder) ?? new Map<string, Set<string>>();
      folders.set(folder, edges);
      edges.set(source, (edges.get(source) ?? new Set()).add(destination));
    }
  }
  return folders;
}

/** Returns the largest sets of nodes that all reach each other (Tarjan's strongly connected components), sorted. */
export function cyclesOf(graph: Graph): string[][] {
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(node: string): void {
    const index = indexes.size;
    indexes.set(node, index);
    lows.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!indexes.has(next)) visit(next);
      if (stack.includes(next)) lows.set(node, Math.min(lows.get(node) ?? 0, lows.get(next) ?? 0));
    }
    if (lows.get(node) !== index) return;
    const members = stack.splice(stack.indexOf(node));
    if (members.length > 1) cycles.push(members.sort());
  }

  for (const node of graph.keys()) if (!indexes.has(node)) visit(node);
  return cycles;
}
