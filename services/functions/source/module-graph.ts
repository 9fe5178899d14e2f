/** The modules of a function, as Deno finds them without running any. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StartFailure } from '../start-failure.ts';

/** The modules that a function imports, directly or not. */
export interface ModuleGraph {
  /** Absolute paths of the files of the project. */
  files: readonly string[];
  /** Specifiers of modules that are no files, e.g. `npm:zod@4` or `https://esm.sh/zod`. */
  remote: readonly string[];
  /** Specifiers that the import map leads to one of `remote`, e.g. `std/http/server.ts`, with that one. */
  mapped: ReadonlyMap<string, string>;
}

/** Options of {@link readModuleGraph}. */
interface GraphOptions {
  deno: string;
  entry: string;
  /** `deno.json` with the import map. */
  config: string | undefined;
  /** Folder of the cache of this analysis. */
  cache: string;
}

/** An import. That of types alone has no code. */
interface Dependency {
  specifier: string;
  code?: { specifier?: string; error?: string };
  type?: unknown;
}

interface DenoInfo {
  modules: readonly {
    specifier: string;
    error?: string;
    dependencies?: readonly Dependency[];
  }[];
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/** Files of a project that configure other programs, and checks for new versions, have no effect. */
export const DENO_ENVIRONMENT = { DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };

const run = promisify(execFile);

/** Reads the graph without using a network. Rejects with {@link StartFailure} if a file is missing or has a syntax error. */
export async function readModuleGraph({ deno, entry, config, cache }: GraphOptions): Promise<ModuleGraph> {
  const location = config === undefined ? ['--no-config'] : ['--config', config];
  const args = ['info', '--json', '--no-lock', '--no-remote', '--no-npm', ...location, entry];
  const { stdout } = await run(deno, args, {
    env: { DENO_DIR: cache, ...DENO_ENVIRONMENT },
    maxBuffer: MAX_OUTPUT_BYTES,
    timeout: TIMEOUT_MS,
  }).catch((error: Error & { stderr?: string }) => {
    throw new StartFailure(error.stderr?.trim() || error.message);
  });
  return graphOf(JSON.parse(stdout) as DenoInfo);
}

function graphOf({ modules }: DenoInfo): ModuleGraph {
  const files = new Set<string>();
  const remote = new Set<string>();
  /** Scopes of an import map may lead one specifier to several modules: then it has no single one. */
  const mapped = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { specifier, error, dependencies = [] } of modules) {
    if (!specifier.startsWith('file:')) continue;
    if (error !== undefined) throw new StartFailure(error);
    files.add(fileURLToPath(specifier));
    for (const { specifier: written, code, type } of dependencies) {
      if (code === undefined && type !== undefined) continue;
      const target = code?.specifier ?? written;
      if (/^(?:file|node|data):/.test(target) || written.startsWith('.')) continue;
      remote.add(target);
      if (target === written) continue;
      if (target !== (mapped.get(written) ?? target)) ambiguous.add(written);
      mapped.set(written, target);
    }
  }
  for (const written of ambiguous) mapped.delete(written);
  return { files: [...files].sort(), remote: [...remote].sort(), mapped };
}
