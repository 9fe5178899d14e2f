/** Prepares a function: finds its modules and packages, and copies them. */
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ProjectFunction } from '@greenroom/project';
import type { ProcessUser } from '../process-user.ts';
import { StartFailure } from '../start-failure.ts';
import { copyPackages } from './copy-packages.ts';
import { download } from './download.ts';
import type { DownloadLimits } from './download-limits.ts';
import type { DownloadSources } from './download-sources.ts';
import {
  type ImportConfig,
  importConfigFiles,
  movedTo,
  readImportConfig,
  withReplacements,
} from './import-map.ts';
import { findInstalled, type InstalledPackage } from './installed-packages.ts';
import { lockFileOf } from './lock-file.ts';
import { LENIENT_IMPORTS, type ModuleGraph, readModuleGraph } from './module-graph.ts';
import { layOut } from './package-layout.ts';
import type { PreparedFunction } from './prepared-function.ts';
import { replacementOf } from './replacements.ts';
import type { ProgramRunner } from './run-program.ts';
import { commonFolder, hashOf, hashOfFolder, readFiles, type SourceFile } from './source-files.ts';

/** The bootstrap, which is copied into each prepared function. */
const BOOTSTRAP = new URL('../runtime/bootstrap/', import.meta.url);
let bootstrapHash: Promise<string> | undefined;

/** Options of {@link prepareFunction}. */
interface PrepareOptions {
  source: ProjectFunction;
  /** Absolute path of the folder of this function's copies. */
  folder: string;
  /** The user that the function runs as; undefined: that of this process. */
  user: ProcessUser | undefined;
  /** Its signal ends the preparation. */
  runner: ProgramRunner;
  /** Folders from which installed packages are found: the project's, then those of Greenroom. */
  packageFolders: readonly string[];
  /** Where other modules come from. */
  sources: DownloadSources;
  limits: DownloadLimits;
  log(text: string): void;
}

/**
 * Returns the copy of the function's present files; an existing copy of the same files is used again. Rejects with
 * {@link StartFailure}.
 */
export async function prepareFunction(options: PrepareOptions): Promise<PreparedFunction> {
  const { source, folder, runner } = options;
  runner.signal?.throwIfAborted();
  const configFiles = await importConfigFiles(source.importMap);
  requireInside(configFiles, source.boundary);
  const written = await readImportConfig(source.importMap);
  const graph = await readModuleGraph({
    runner,
    entry: source.entry,
    config: source.importMap,
    cache: join(folder, 'graph'),
  });
  requireInside(graph.files, source.boundary);
  const imports = await importsOf(graph, options.packageFolders);
  const files = await readFiles([...new Set([...graph.files, ...source.staticFiles])]);
  const root = commonFolder(files.map(({ path }) => path));
  const config = configOf({ written, imports, root });
  bootstrapHash ??= hashOfFolder(fileURLToPath(BOOTSTRAP));
  const isOffline = imports.downloads.length === 0;
  const lockFile = lockFileOf(source);
  const locked = isOffline ? undefined : await readFile(lockFile).catch(() => undefined);
  const registries = isOffline ? {} : options.sources.registries;
  const hash = hashOf(files, {
    root,
    config,
    bootstrap: await bootstrapHash,
    registries,
    locked,
    packages: imports.packages.map(({ name, version }) => [name, version]),
  });
  const copy = join(folder, hash);
  const prepared: PreparedFunction = {
    ...placesIn(copy, relative(root, source.entry)),
    hash,
    hasNodeServer: files.some(({ content }) => /\.listen\s*\(/.test(content.toString('latin1'))),
    isOffline,
    registries,
    inputs: [
      ...files.map(({ path }) => path),
      ...configFiles,
      lockFile,
      ...placesOfPackages(imports.packages, options.packageFolders),
    ],
  };
  if (await exists(copy)) return prepared;
  const partial = placesIn(`${copy}.partial`, relative(root, source.entry));
  await rm(partial.folder, { recursive: true, force: true });
  await writeCopy({ folder: partial.folder, files, root, config });
  runner.signal?.throwIfAborted();
  await copyPackages(imports.packages, partial.folder, runner);
  await mkdir(partial.cache);
  if (!isOffline) {
    const specifiers = imports.downloads;
    options.log(`function ${source.name} downloads modules that are not installed: ${specifiers.join(', ')}`);
    await download({ ...options, places: partial, specifiers, locked });
  }
  await rename(partial.folder, copy);
  await removeOldCopies(folder);
  return prepared;
}

/** Throws {@link StartFailure} for a file outside of a folder. */
function requireInside(files: readonly string[], boundary: string | undefined): void {
  if (boundary === undefined) return;
  const outside = files.find((file) => !file.startsWith(`${boundary}${sep}`));
  if (outside !== undefined) throw new StartFailure(`it imports ${outside}, which is none of its files`);
}

/** Paths in the folder of a copy. */
type CopyPlaces = Pick<PreparedFunction, 'folder' | 'entry' | 'config' | 'cache' | 'lock'>;

function placesIn(folder: string, entry: string): CopyPlaces {
  const cache = join(folder, 'cache');
  return {
    folder,
    entry: join(folder, 'source', entry),
    config: join(folder, 'deno.json'),
    cache,
    lock: join(cache, 'deno.lock'),
  };
}

/** Returns the paths that change when other packages are installed. */
function placesOfPackages(packages: readonly InstalledPackage[], folders: readonly string[]): string[] {
  const manifests = layOut(packages).map(({ folder }) => join(folder, 'package.json'));
  const installed = folders.flatMap(foldersAbove).map((folder) => join(folder, 'node_modules'));
  return [...manifests, ...installed, ...installed.map((folder) => join(folder, '.package-lock.json'))];
}

function foldersAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersAbove(parent)];
}

/** What stands for the modules of the network. */
interface ReplacedImports {
  /** Entries of the import map. `provided:` marks modules of the bootstrap. */
  entries: Readonly<Record<string, string>>;
  packages: readonly InstalledPackage[];
  /** Specifiers that need the network. */
  downloads: readonly string[];
}

/** Either all packages are installed, or all come from the network: Deno does not mix both. */
async function importsOf(
  { remote, mapped }: ModuleGraph,
  packageFolders: readonly string[],
): Promise<ReplacedImports> {
  const entries: Record<string, string> = {};
  const installedEntries: Record<string, string> = {};
  const packages: InstalledPackage[] = [];
  const downloads: string[] = [];
  for (const specifier of remote) {
    const replacement = replacementOf(specifier);
    if (replacement === undefined) {
      downloads.push(specifier);
    } else if (replacement.kind === 'provided') {
      entries[specifier] = `./bootstrap/provided/${replacement.file}`;
    } else if (replacement.kind === 'builtin') {
      entries[specifier] = replacement.name;
    } else {
      const { name, range, subpath } = replacement;
      const installed = await findFirst(name, range, packageFolders);
      if (installed === undefined) downloads.push(specifier);
      else packages.push(installed);
      entries[specifier] = `npm:${name}@${range}${subpath}`;
      if (installed !== undefined) installedEntries[specifier] = `npm:${name}${subpath}`;
    }
  }
  // An installed package satisfies the range, but Deno would compare the version in an address again.
  return downloads.length > 0
    ? { entries: withMapped(entries, mapped), packages: [], downloads }
    : { entries: withMapped({ ...entries, ...installedEntries }, mapped), packages, downloads: [] };
}

/** An import map is applied once: specifiers that it leads to a replaced module need entries of their own. */
function withMapped(entries: Readonly<Record<string, string>>, mapped: ReadonlyMap<string, string>) {
  const added = [...mapped].flatMap(([written, target]) => {
    const entry = entries[target];
    return entry === undefined ? [] : [[written, entry] as const];
  });
  return { ...entries, ...Object.fromEntries(added) };
}

async function findFirst(
  name: string,
  range: string,
  folders: readonly string[],
): Promise<InstalledPackage | undefined> {
  for (const folder of folders) {
    const found = await findInstalled(name, range, folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface CopyOptions {
  folder: string;
  files: readonly SourceFile[];
  /** The folder that contains all files. */
  root: string;
  config: object;
}

async function writeCopy({ folder, files, root, config }: CopyOptions): Promise<void> {
  for (const { path, content } of files) {
    const target = join(folder, 'source', relative(root, path));
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
  await cp(BOOTSTRAP, join(folder, 'bootstrap'), { recursive: true });
  await writeFile(join(folder, 'deno.json'), JSON.stringify(config, undefined, 2));
}

/** Returns the `deno.json` of a copy. Entries of the project may lead to modules that are replaced. */
function configOf({
  written,
  imports,
  root,
}: {
  written: ImportConfig;
  imports: ReplacedImports;
  root: string;
}) {
  const replaced = withReplacements(written, imports.entries);
  const { imports: own, scopes, compilerOptions } = movedTo(replaced, { from: root, to: 'source' });
  return {
    imports: { ...own, ...imports.entries },
    scopes,
    ...(compilerOptions && { compilerOptions }),
    nodeModulesDir: imports.downloads.length > 0 ? 'none' : 'manual',
    unstable: LENIENT_IMPORTS,
  };
}

/** Processes of former versions may still load modules from their copies. */
const KEPT_COPIES = 3;
const COPY = /^[0-9a-f]{32}$/;
/** Suffix of copies that are being removed: a folder with the name of a copy is complete. */
const REMOVED = '.removed';

async function removeOldCopies(folder: string): Promise<void> {
  // Of versions that had one cache for all copies.
  await rm(join(folder, 'cache'), { recursive: true, force: true });
  const names = (await readdir(folder)).filter((name) => COPY.test(name));
  const copies = await Promise.all(
    names.map(async (name) => ({ path: join(folder, name), time: (await stat(join(folder, name))).mtimeMs })),
  );
  copies.sort((a, b) => b.time - a.time);
  for (const { path } of copies.slice(KEPT_COPIES)) await rename(path, path + REMOVED);
  for (const name of await readdir(folder)) {
    // A process that fills the cache of a copy may write meanwhile: the next preparation removes the rest.
    if (name.endsWith(REMOVED)) await rm(join(folder, name), { recursive: true }).catch(() => undefined);
  }
}

/** Whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
