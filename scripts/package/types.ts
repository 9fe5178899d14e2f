/** The types of the exports for Node.js: one declaration file for each, which refers to packages only. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { declarationOf, declare, workspaceEntries } from './declarations.ts';
import { exportedEntries } from './exports.ts';
import { ROOT } from './root.ts';

/** Writes the declaration files into a folder. Rejects with the messages of the compiler. */
export async function writeTypes(into: string): Promise<void> {
  const declared = await mkdtemp(join(tmpdir(), 'greenroom-types-'));
  try {
    await declare({ into: declared, files: Object.values(exportedEntries()) });
    const entries = Object.entries(exportedEntries()).map(([name, source]) => [
      name,
      join(declared, declarationOf(relative(ROOT, source))),
    ]);
    const bundle = await rolldown({
      input: Object.fromEntries(entries),
      external: isPackage,
      plugins: [
        workspaces(declared),
        dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false }),
        withoutPaths(),
      ],
    });
    await bundle.write({ dir: into, entryFileNames: '[name].ts', chunkFileNames: '[name].ts' });
    await bundle.close();
  } finally {
    await rm(declared, { recursive: true, force: true });
  }
}

/** Removes comments with the paths of modules, which are those of this machine. */
function withoutPaths(): Plugin {
  return {
    name: 'without-paths',
    renderChunk: (code) => code.replaceAll(/^\/\/(?:#(?:end)?region\b| \.\.?\/).*\n\n?/gm, ''),
  };
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

function isPackage(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@greenroom/');
}
