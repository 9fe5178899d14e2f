/** Declarations that the compiler writes: one file for each source, in the tree of the repository. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { entryPoints } from '../import-graph.ts';
import { ROOT } from './root.ts';

const run = promisify(execFile);
const WORKSPACES = ['app', 'cli', 'platform', 'server', 'services'];

/** Options of {@link declare}. */
interface DeclareOptions {
  /** An empty folder. */
  into: string;
  /** Absolute paths of sources. Those that they import are declared as well. */
  files: readonly string[];
  /** Folder of the repository with the configuration of the compiler. */
  workspace?: string;
}

/** Writes the declarations. Rejects with the messages of the compiler. */
export async function declare({ into, files, workspace = '.' }: DeclareOptions): Promise<void> {
  const config = join(into, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: ROOT,
    outDir: into,
    typeRoots: [join(ROOT, 'node_modules', '@types'), join(ROOT, 'node_modules')],
    // The compiler writes no declarations of modules that it finds in node_modules.
    paths: Object.fromEntries([...workspaceEntries()].map(([id, source]) => [id, [join(ROOT, source)]])),
  };
  const content = { extends: join(ROOT, workspace, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(config, JSON.stringify(content));
  await run('tsc', ['-p', config], { shell: process.platform === 'win32' }).catch((error) => {
    throw new Error(`the types of the package cannot be declared:\n${error.stdout}`);
  });
}

/** Returns the sources of the packages of this repository, by the names that import them. */
export function workspaceEntries(): ReadonlyMap<string, string> {
  return entryPoints(ROOT, WORKSPACES);
}

/** Returns the path of the declarations of a source. */
export function declarationOf(source: string): string {
  return source.replace(/\.tsx?$/, '.d.ts');
}
