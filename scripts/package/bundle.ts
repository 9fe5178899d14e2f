/** The JavaScript of the package: all code that Node.js loads, because it strips no types below `node_modules`. */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { type InputOptions, type OutputOptions, type RolldownOutput, rolldown } from 'rolldown';
import { ENTRY_POINTS } from '../../cli/program/entry-points.ts';
import { inputOptions, outputOptions } from '../../cli/program/options.ts';
import { PROGRAM_FOLDER } from '../../cli/program/plan.ts';
import { exportedEntries } from './exports.ts';
import { ROOT } from './root.ts';

/** A call of `programFile()`, and the path of the source in it. */
const PROGRAM_CALL = /\bprogramFile\(new URL\('([^']+)\.ts', import\.meta\.url\)\)/g;
/** Configuration of Vite, which loads it as JavaScript together with packages that the tarball does not contain. */
const VITE_CONFIG = 'app/vite.config.ts';

/** The modules of a bundle. */
interface BundledCode {
  /** Names of packages that stay outside. */
  externals: ReadonlySet<string>;
  /** Absolute paths of bundled modules. */
  modules: ReadonlySet<string>;
}

/** Writes the program, its workers, the exports for Node.js and the configuration of Vite into a folder. */
export async function bundleInto(folder: string, version: string): Promise<BundledCode> {
  const outputs = [
    await write(
      folder,
      withVersion(inputOptions({ ...ENTRY_POINTS, ...exportedEntries() }, PROGRAM_FOLDER), version),
      outputOptions(join(folder, 'cli', 'build')),
    ),
  ];
  for (const source of programSources()) outputs.push(await writeBeside(folder, source, {}));
  outputs.push(await writeBeside(folder, VITE_CONFIG, { external: isForeign }));
  const chunks = outputs.flatMap(({ output }) => output).filter((each) => each.type === 'chunk');
  const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const files = new Set(chunks.map(({ fileName }) => fileName));
  return {
    externals: new Set(imported.filter((name) => !files.has(name) && !isBuiltin(name)).map(packageOf)),
    modules: new Set(chunks.flatMap(({ moduleIds }) => moduleIds)),
  };
}

/** Returns the sources of workers and child processes, relative to the repository. */
export function programSources(): string[] {
  const files = globSync('{app,cli,platform,server,services}/**/*.ts', {
    cwd: ROOT,
    exclude: (path) => /(^|\/)(node_modules|build)(\/|$)|\.test\.ts$/.test(String(path)),
  });
  return files
    .flatMap((file) =>
      Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(PROGRAM_CALL), ([, path = '']) =>
        join(dirname(file), `${path}.ts`),
      ),
    )
    .sort();
}

/** Writes one self-contained file in the place of its source. */
function writeBeside(folder: string, source: string, options: InputOptions): Promise<RolldownOutput> {
  const path = join(ROOT, source);
  const name = source.slice(source.lastIndexOf('/') + 1, -'.ts'.length);
  return write(
    folder,
    { ...inputOptions({ [name]: path }, dirname(path)), ...options },
    { ...outputOptions(join(folder, dirname(source))), codeSplitting: false },
  );
}

async function write(folder: string, input: InputOptions, output: OutputOptions): Promise<RolldownOutput> {
  const bundle = await rolldown(input);
  try {
    return await bundle.write({
      ...output,
      // Node.js loads the maps only with --enable-source-maps. The sources themselves are in the repository.
      sourcemap: true,
      sourcemapExcludeSources: true,
      sourcemapPathTransform: (source, map) => sourceSeenFrom(folder, source, map),
    });
  } finally {
    await bundle.close();
  }
}

/** Returns the path of a source as if the package stood in the place of the repository. */
function sourceSeenFrom(folder: string, source: string, map: string): string {
  const place = dirname(map);
  return relative(join(ROOT, relative(folder, place)), resolve(place, source)).replaceAll('\\', '/');
}

/** The version is that of the package, which a test sets to another one. */
function withVersion(options: InputOptions, version: string): InputOptions {
  const manifest = join(ROOT, 'server', 'package.json');
  const plugin = {
    name: 'version',
    load: (id: string) => (id === manifest ? JSON.stringify({ version }) : null),
  };
  return { ...options, plugins: [plugin, options.plugins] };
}

/** Everything except our own modules. */
function isForeign(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('@greenroom/');
}

/** Returns the name of a package without the path of a file in it. */
function packageOf(id: string): string {
  return id
    .split('/')
    .slice(0, id.startsWith('@') ? 2 : 1)
    .join('/');
}
