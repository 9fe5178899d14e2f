/** The modules of a function, as Deno finds them without running any. */
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { StartFailure } from '../start-failure.ts';
import { type ProgramFailure, type ProgramRunner, runProgram } from './run-program.ts';
import { describeUnresolved, type Span } from './unresolved-import.ts';

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
  runner: ProgramRunner;
  entry: string;
  /** `deno.json` with the import map. */
  config: string | undefined;
  /** Folder of the cache of this analysis. */
  cache: string;
}

/** An import. That of types alone has no code. */
interface Dependency {
  specifier: string;
  code?: { specifier?: string; error?: string; span?: Span };
  /** Whether it is an `import()`, whose failure the function may handle. */
  isDynamic?: boolean;
}

interface Module {
  specifier: string;
  error?: string;
  dependencies?: readonly Dependency[];
}

interface DenoInfo {
  roots: readonly string[];
  modules: readonly Module[];
}

const TIMEOUT_MS = 30_000;

/** Files of a project that configure other programs, and checks for new versions, have no effect. */
export const DENO_ENVIRONMENT = { DENO_NO_PACKAGE_JSON: '1', DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' };

/** As on the hosted platform, imports of files need no extension, and those of modules of Node.js no prefix. */
export const LENIENT_IMPORTS = ['sloppy-imports', 'bare-node-builtins'];

/**
 * Reads the graph without using a network. Rejects with {@link StartFailure} if a file is missing or has a syntax error, or if
 * the import map does not lead an import to a module.
 */
export async function readModuleGraph({ runner, entry, config, cache }: GraphOptions): Promise<ModuleGraph> {
  const location = config === undefined ? ['--no-config'] : ['--config', config];
  const lenient = LENIENT_IMPORTS.map((name) => `--unstable-${name}`);
  const args = ['info', '--json', '--no-lock', '--no-remote', '--no-npm', ...lenient, ...location, entry];
  const env = { DENO_DIR: cache, ...DENO_ENVIRONMENT };
  const stdout = await runProgram(runner, { args, env, timeoutMs: TIMEOUT_MS }).catch(
    (error: ProgramFailure) => {
      runner.signal?.throwIfAborted();
      throw new StartFailure(error.stderr?.trim() || error.message);
    },
  );
  return graphOf(JSON.parse(stdout) as DenoInfo, entry);
}

function graphOf({ roots, modules }: DenoInfo, entry: string): ModuleGraph {
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const reached = new Set(roots);
  const remote = new Set<string>();
  const mapped = createMapped();
  // Files that are added during the loop are visited, too.
  for (const specifier of reached) {
    const { error, dependencies = [] } = bySpecifier.get(specifier) ?? {};
    if (error !== undefined) throw new StartFailure(error);
    for (const { specifier: written, code, isDynamic = false } of dependencies) {
      if (code === undefined || isBuiltin(written)) continue;
      if (code.error !== undefined) {
        if (isDynamic) continue;
        throw new StartFailure(describeUnresolved(code.error, { file: specifier, span: code.span, entry }));
      }
      const target = code.specifier ?? written;
      if (target.startsWith('file:')) reached.add(target);
      if (/^(?:file|node|data):/.test(target) || written.startsWith('.')) continue;
      remote.add(target);
      if (target !== written) mapped.add(written, target);
    }
  }
  const files = [...reached].map((specifier) => fileURLToPath(specifier));
  return { files: files.sort(), remote: [...remote].sort(), mapped: mapped.unambiguous() };
}

/** Collects what an import map does. Its scopes may lead one specifier to several modules. */
function createMapped() {
  const targets = new Map<string, Set<string>>();
  return {
    add: (written: string, target: string) =>
      targets.set(written, (targets.get(written) ?? new Set()).add(target)),
    unambiguous: () =>
      new Map(
        [...targets].flatMap(([written, [target, ...others]]) =>
          target === undefined || others.length > 0 ? [] : [[written, target] as const],
        ),
      ),
  };
}
