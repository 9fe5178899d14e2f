/**
 * The folder of added extensions in a data folder: adds, lists and removes the files of extensions. A running server uses
 * added files at once, because it looks for them when an extension is created.
 */
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureDataFolder } from '@greenroom/data-folder';
import { type Binaries, findBinaries } from '../binaries.ts';
import { chooseRunAs, type RunAs } from '../run-as.ts';
import { parseControlFile } from './control-file.ts';
import { type ExtensionFile, extensionOf, findExtensionFiles, LIBRARY_SUFFIX } from './find-files.ts';
import {
  hasInstalledExtensions,
  installExtensions,
  providedExtensionFiles,
  requireOwnNames,
  systemExtensionFiles,
} from './install.ts';
import { checkLibraries } from './library-check.ts';
import { missingExtensions } from './missing.ts';
import { placeholderExtensions } from './placeholders.ts';

const SUBFOLDERS = { control: 'extension', script: 'extension', library: 'lib' } as const;

/** The files of an extension cannot be added or removed. */
class ExtensionFilesError extends Error {
  override readonly name = 'ExtensionFilesError';
}

/** The places of the extensions of an instance. */
export interface ExtensionPlaces {
  /** Folder of added extensions; its parent is the data folder, which need not exist. */
  added: string;
  /** `supabase/extensions` of the project; undefined if the instance runs none. */
  project: string | undefined;
  /** Folder of the cluster; it need not exist. */
  cluster: string;
}

/** An extension that the instance knows. */
interface ListedExtension {
  name: string;
  version: string;
  source: 'PostgreSQL' | 'Greenroom' | 'data folder' | 'project';
}

/** The result of {@link addExtensions}. */
export interface AddedExtensions {
  extensions: { name: string; version: string }[];
  /** File names. */
  libraries: string[];
  /** Messages of libraries that report an error when they are loaded outside of a configured server. */
  warnings: string[];
}

interface Environment {
  binaries: Binaries;
  runAs: RunAs | undefined;
}

interface Control {
  name: string;
  path: string;
  values: ReadonlyMap<string, string>;
}

/**
 * Copies the extensions in `source` to the folder of added extensions, after it has checked all of them. Throws, and
 * copies nothing, if a file is missing, invalid, or does not fit this PostgreSQL and this system.
 */
export async function addExtensions(places: ExtensionPlaces, source: string): Promise<AddedExtensions> {
  const environment = await findEnvironment();
  const files = findExtensionFiles(source);
  const controls = await readControls(files);
  const libraries = files.filter(({ kind }) => kind === 'library').map(({ name }) => name);
  if (controls.length === 0 && libraries.length === 0) {
    throw new ExtensionFilesError(
      `${source} contains no extension: neither a control file (*.control) nor a library (*${LIBRARY_SUFFIX})`,
    );
  }
  requireOwnNames(files, environment.binaries);
  const present = [...files, ...findExtensionFiles(places.added)];
  await requireComplete(controls, present, environment);
  const folders = [places.added, source];
  const { errors, warnings } = await checkLibraries({ ...environment, folders, libraries });
  if (errors.length > 0) throw new ExtensionFilesError(errors.join('\n'));
  await ensureDataFolder(dirname(places.added));
  for (const { kind, name, path } of files)
    await replaceFile(path, join(places.added, SUBFOLDERS[kind]), name);
  await refresh(places, environment);
  return { extensions: controls.map(describe), libraries, warnings };
}

/**
 * Removes the files of an added extension, and libraries that no other added extension mentions. Returns the names of the
 * removed files. Throws if the extension was not added.
 */
export async function removeExtension(places: ExtensionPlaces, name: string): Promise<string[]> {
  const files = findExtensionFiles(places.added);
  const isOwn = (file: ExtensionFile) => file.kind !== 'library' && extensionOf(file.name) === name;
  const own = files.filter(isOwn);
  if (own.length === 0) {
    throw new ExtensionFilesError(
      `${name} is not an added extension. Run "greenroom extensions list" to list them.`,
    );
  }
  const others = files.filter((file) => file.kind !== 'library' && !isOwn(file));
  const [ownText, otherText] = await Promise.all([readTexts(own), readTexts(others)]);
  const orphans = files.filter(
    (file) => file.kind === 'library' && mentions(ownText, file.name) && !mentions(otherText, file.name),
  );
  const removed = [...own, ...orphans];
  for (const { path } of removed) await rm(path);
  await refresh(places, await findEnvironment());
  return removed.map((file) => file.name).sort();
}

/** Returns the extensions of all sources, sorted by name. */
export async function listExtensions(places: ExtensionPlaces): Promise<ListedExtension[]> {
  const { binaries } = await findEnvironment();
  const listed = new Map<string, ListedExtension>();
  const add = (source: ListedExtension['source'], { name, version }: { name: string; version: string }) =>
    listed.set(name, { name, version, source });
  for (const [name, { version }] of [...missingExtensions(), ...placeholderExtensions()]) {
    add('Greenroom', { name, version });
  }
  for (const [source, files] of [
    ['Greenroom', providedExtensionFiles()],
    ['data folder', findExtensionFiles(places.added)],
    ['project', places.project === undefined ? [] : findExtensionFiles(places.project)],
    ['PostgreSQL', systemExtensionFiles(binaries)],
  ] as const) {
    for (const control of await readControls(files)) add(source, describe(control));
  }
  return [...listed.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function findEnvironment(): Promise<Environment> {
  const runAs = await chooseRunAs();
  return { binaries: await findBinaries(runAs), runAs };
}

/** Throws for an invalid control file. */
function readControls(files: readonly ExtensionFile[]): Promise<Control[]> {
  const controls = files.filter(({ kind, name }) => kind === 'control' && !name.includes('--'));
  return Promise.all(
    controls.map(async ({ name, path }) => {
      const values = parseControlFile(await readFile(path, 'utf8'), path);
      return { name: extensionOf(name), path, values };
    }),
  );
}

function describe({ name, values }: Control): { name: string; version: string } {
  return { name, version: values.get('default_version') ?? 'none' };
}

/**
 * Throws if an extension has no script, or if its scripts refer to a library that is neither among the files nor part of
 * PostgreSQL.
 */
async function requireComplete(
  controls: readonly Control[],
  files: readonly ExtensionFile[],
  { binaries }: Environment,
): Promise<void> {
  const own = findExtensionFiles(join(binaries.postgres, '..', '..', 'lib', 'postgresql'));
  const libraries = new Set([...files, ...own].map(({ name }) => name));
  for (const { name, path, values } of controls) {
    const scripts = files.filter((file) => file.kind === 'script' && extensionOf(file.name) === name);
    if (scripts.length === 0) {
      throw new ExtensionFilesError(`${path}: no script ${name}--<version>.sql is in the same folder`);
    }
    const library = libraryOf(values);
    if (library === undefined || libraries.has(library)) continue;
    if (!usesLibrary(await readTexts(scripts), library)) continue;
    throw new ExtensionFilesError(
      `${path}: the library ${library} is missing. Build the extension first, or add the package that contains it in the same command.`,
    );
  }
}

/** Whether scripts load a library: by the name of the control file, or by its own. */
function usesLibrary(scripts: string, library: string): boolean {
  return (
    scripts.includes('MODULE_PATHNAME') ||
    scripts.includes(`$libdir/${library.slice(0, -LIBRARY_SUFFIX.length)}`)
  );
}

/** Returns the file name of the library that replaces MODULE_PATHNAME in scripts. */
function libraryOf(values: ReadonlyMap<string, string>): string | undefined {
  const library = values.get('module_pathname')?.replace('$libdir/', '');
  return library === undefined || library.endsWith(LIBRARY_SUFFIX) ? library : library + LIBRARY_SUFFIX;
}

/** Replaces the file by a rename, so that the file is complete at any time. */
async function replaceFile(source: string, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const partial = join(folder, `${name}.${process.pid}.partial`);
  await copyFile(source, partial);
  await rename(partial, join(folder, name));
}

/** A cluster that has never started gets its extensions at the start. */
async function refresh(
  { added, project, cluster }: ExtensionPlaces,
  environment: Environment,
): Promise<void> {
  if (!hasInstalledExtensions(cluster)) return;
  const folders = [added, project].filter((folder) => folder !== undefined);
  await installExtensions({ ...environment, cluster, folders });
}

async function readTexts(files: readonly ExtensionFile[]): Promise<string> {
  return (await Promise.all(files.map(({ path }) => readFile(path, 'utf8')))).join('\n');
}

/** Whether control files and scripts mention a library: without its suffix, as a whole word. */
function mentions(text: string, library: string): boolean {
  const name = library.slice(0, -LIBRARY_SUFFIX.length);
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}
