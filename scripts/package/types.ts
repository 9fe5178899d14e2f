/** The types of the exports: one declaration file for each, which refers to packages only. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { entryPoints } from '../import-graph.ts';
import { exportedEntries } from './exports.ts';
import { ROOT } from './root.ts';

const run = promisify(execFile);
const WORKSPACES = ['app', 'cli', 'platform', 'server', 'services'];

/** Writes the declaration files into a folder. Rejects with the messages of the compiler. */
export async function writeTypes(into: string): Promise<void> {
  const declared = await mkdtemp(join(tmpdir(), 'greenroom-types-'));
  try {
    await declare(declared);
    const entries = Object.entries(exportedEntries()).map(([name, source]) => [
      name,
      join(declared, declarationOf(relative(ROOT, source))),
    ]);
    const bundle = await rolldown({
      input: Object.fromEntries(entries),
      external: isPackage,
      plugins: [workspaces(declared), dts({ dtsOnly: true, generator: 'oxc', tsconfig: false })],
    });
    await bundle.write({ dir: into, entryFileNames: '[name].ts', chunkFileNames: '[name].ts' });
    await bundle.close();
  } finally {
    await rm(declared, { recursive: true, force: true });
  }
}

/** Writes one declaration file for each source that the exports reach, in the tree of the repository. */
async function declare(into: string): Promise<void> {
  const config = join(into, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: into,
    typeRoots: [join(ROOT, 'node_modules', '@types')],
    // The compiler writes no declarations of modules that it finds in node_modules.
    paths: Object.fromEntries([...workspaceEntries()].map(([id, source]) => [id, [join(ROOT, source)]])),
  };
  const files = Object.values(exportedEntries());
  const content = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(config, JSON.stringify(content));
  await run('tsc', ['-p', config], { shell: process.platform === 'win32' }).catch((error) => {
    throw new Error(`the types of the package cannot be declared:\n${error.stdout}`);
  });
}

/** Finds the declarations of the repository's own packages. */
function workspaces(declared: string): Plugin {
  const entries = workspaceEntries();
  return {
    name: 'workspaces',
    resolveId(id) {
      const source = entries.get(id);
      return source === undefined ? null : join(declared, declarationOf(source));
    },
  };
}

/** Returns the sources of the packages of this repository, by the names that import them. */
function workspaceEntries(): ReadonlyMap<string, string> {
  return entryPoints(ROOT, WORKSPACES);
}

function declarationOf(source: string): string {
  return source.replace(/\.tsx?$/, '.d.ts');
}

function isPackage(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@greenroom/');
}
