/** Collects the files of a function for its deployment: its modules, its import map and its static files. */
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { ProjectFunction } from '@greenroom/project';
import { findDeno } from '../runtime/deno-program.ts';
import { importConfigFiles } from '../source/import-map.ts';
import { lockFileOf } from '../source/lock-file.ts';
import { readModuleGraph } from '../source/module-graph.ts';
import { readFiles } from '../source/source-files.ts';
import type { FunctionBundle } from './bundle.ts';
import { requirePaths } from './bundle-paths.ts';

/**
 * Returns the files of a function that are in the folder of its project. Rejects with an error that names the reason: a
 * syntax error, a missing file, a file outside of the folder, or too many bytes.
 */
export async function bundleFunction(
  source: ProjectFunction,
  projectFolder: string,
): Promise<FunctionBundle> {
  const deno = findDeno();
  if (deno === undefined)
    throw new Error(
      'Deno, which finds the files of functions, is not installed: npm install --include=optional',
    );
  const cache = await mkdtemp(join(tmpdir(), 'greenroom-deploy-'));
  try {
    const { entry, importMap: config } = source;
    const graph = await readModuleGraph({ runner: { program: [deno] }, entry, config, cache });
    return await collect(source, projectFolder, graph.files);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}

async function collect(
  source: ProjectFunction,
  projectFolder: string,
  modules: readonly string[],
): Promise<FunctionBundle> {
  const folder = await realpath(projectFolder);
  // Deno names files by their real paths.
  const real = await realpath(source.entry);
  const pathOf = (file: string) => pathBelow([folder, projectFolder], file);
  const settings = [
    ...(await importConfigFiles(source.importMap)),
    ...[lockFileOf(source)].filter(existsSync),
  ];
  const files = await readFiles([...new Set([...modules, ...settings, ...source.staticFiles])]);
  const bundled = new Map(files.map(({ path, content }) => [pathOf(path), content]));
  requirePaths([...bundled.keys()]);
  return {
    entrypoint: pathOf(modules.includes(source.entry) ? source.entry : real),
    importMap: source.importMap === undefined ? undefined : pathOf(source.importMap),
    staticFiles: source.staticFiles.map(pathOf),
    verifiesJwt: source.verifiesJwt,
    files: [...bundled].map(([path, content]) => ({ path, content })),
  };
}

function pathBelow(folders: readonly string[], file: string): string {
  for (const folder of folders) {
    const path = relative(folder, file);
    if (!path.startsWith(`..${sep}`) && path !== '..') return path.split(sep).join('/');
  }
  throw new Error(
    `${file} is not in the folder of the project, so it cannot be deployed. Move it into ${folders.at(-1)}.`,
  );
}
