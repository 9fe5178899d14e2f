/**
 * Extensions of an instance, installed into a folder of its cluster: PostgreSQL's user can always read that folder, and
 * base backups contain it. Later sources override earlier ones: those of PostgreSQL that are marked as trusted, those that
 * Greenroom provides, those added to the data folder, those of the project.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeFileAtomically } from '@greenroom/data-folder';
import type { Binaries } from '../binaries.ts';
import { WORKING_DIRECTORY } from '../cluster-directory.ts';
import type { RunAs } from '../run-as.ts';
import { parseControlFile, withTrust } from './control-file.ts';
import { reverseUpdates } from './equal-versions.ts';
import { type ExtensionFile, extensionOf, findExtensionFiles } from './find-files.ts';
import { missingExtensions } from './missing.ts';
import { placeholderExtensions } from './placeholders.ts';
import { systemExtensionFolders, trustedExtensionFiles } from './trusted.ts';

/** Folder in the cluster. */
const INSTALLED_FOLDER = 'greenroom.extensions';
/** List of the installed files, in that folder. */
const MANIFEST = 'installed.json';
const PROVIDED_FOLDER = fileURLToPath(new URL('../../extensions/', import.meta.url));

/** Folder names that PostgreSQL expects (`extension`), and the folder of libraries. */
const SUBFOLDERS = { control: 'extension', script: 'extension', library: 'lib' } as const;

/** An extension has the name of one that is part of PostgreSQL. */
class ExtensionConflictError extends Error {
  override readonly name = 'ExtensionConflictError';
}

/** A file to install. */
interface PlannedFile {
  kind: ExtensionFile['kind'];
  /** File name. */
  name: string;
  /** Differs after each change of the content. */
  facts: string;
  read(): Promise<string | Buffer>;
}

/** Installed files by their path in the folder. */
type Plan = Map<string, PlannedFile>;

/** Options of {@link installExtensions}. */
interface InstallOptions {
  /** Folder of the cluster. */
  cluster: string;
  /** Folders with added extensions, in any layout; they need not exist. Later ones override earlier ones. */
  folders: readonly string[];
  binaries: Pick<Binaries, 'postgres'>;
  runAs: RunAs | undefined;
}

/**
 * Makes the installed files equal to those of all sources. Writes nothing if they have not changed since the last call.
 * Throws an error that names the file if a control file is invalid, if a link leads out of a folder, or if an added
 * extension has the name of one that is part of PostgreSQL.
 */
export async function installExtensions(options: InstallOptions): Promise<void> {
  const { cluster, runAs } = options;
  const target = join(cluster, INSTALLED_FOLDER);
  const plan = planFiles(options);
  const wanted = Object.fromEntries(Array.from(plan, ([path, { facts }]) => [path, facts]));
  const installed = await readManifest(target);
  const changed = [...plan].filter(([path, { facts }]) => installed[path] !== facts);
  const obsolete = Object.keys(installed).filter((path) => !plan.has(path));
  if (changed.length === 0 && obsolete.length === 0) return;
  const subfolders = [target, ...Object.values(SUBFOLDERS).map((name) => join(target, name))];
  for (const folder of subfolders) await ensureFolder(folder, runAs);
  await Promise.all(
    changed.map(async ([path, file]) => writeFile(join(target, path), await file.read(), runAs)),
  );
  await Promise.all(obsolete.map((path) => rm(join(target, path), { force: true })));
  await writeFileAtomically(join(target, MANIFEST), JSON.stringify(wanted), 0o600, runAs);
}

/** Whether a start has installed extensions into a cluster. */
export function hasInstalledExtensions(cluster: string): boolean {
  return existsSync(join(cluster, INSTALLED_FOLDER, MANIFEST));
}

/**
 * Returns the settings by which the server finds the installed extensions. Their control files precede those that are part of
 * PostgreSQL, which some of them mark as trusted. None if no path to them can be part of a list, because it contains
 * the separator.
 * @param path path by which the server finds the cluster, which is its working directory
 */
export function extensionSettings(path: string): Record<string, string> {
  const usable = [path, WORKING_DIRECTORY].find((base) => !base.includes(delimiter) && existsSync(base));
  if (usable === undefined) return {};
  const folder = join(usable, INSTALLED_FOLDER);
  return {
    extension_control_path: [folder, '$system'].join(delimiter),
    dynamic_library_path: ['$libdir', join(folder, SUBFOLDERS.library)].join(delimiter),
  };
}

/** Returns the files of the extensions that are part of PostgreSQL. */
export function systemExtensionFiles(binaries: Pick<Binaries, 'postgres'>): ExtensionFile[] {
  return systemExtensionFolders(binaries).flatMap((folder) => findExtensionFiles(folder));
}

/** Returns the control files and scripts that Greenroom provides. */
export function providedExtensionFiles(): ExtensionFile[] {
  return findExtensionFiles(PROVIDED_FOLDER);
}

function planFiles({ folders, binaries }: InstallOptions): Plan {
  const plan: Plan = new Map();
  addLayer(plan, trustedExtensionFiles(binaries));
  addLayer(plan, generatedFiles());
  addLayer(plan, providedExtensionFiles().map(plannedFile));
  for (const folder of folders) {
    const files = findExtensionFiles(folder);
    if (files.length > 0) requireOwnNames(files, binaries);
    const updates = reverseUpdates(files).map((name) => generatedFile('script', name, ''));
    addLayer(plan, [...files.map(plannedFile), ...updates]);
  }
  return plan;
}

/** An extension of a later layer replaces all control files and scripts of the earlier one. */
function addLayer(plan: Plan, files: readonly PlannedFile[]): void {
  const replaced = new Set(
    files.filter(({ kind }) => kind === 'control').map(({ name }) => extensionOf(name)),
  );
  for (const [path, { kind, name }] of plan) {
    if (kind !== 'library' && replaced.has(extensionOf(name))) plan.delete(path);
  }
  for (const file of files) plan.set(`${SUBFOLDERS[file.kind]}/${file.name}`, file);
}

function generatedFiles(): PlannedFile[] {
  return [...missingExtensions(), ...placeholderExtensions()].flatMap(
    ([name, { version, updates = [], control, script }]) => [
      generatedFile('control', `${name}.control`, control),
      generatedFile('script', `${name}--${version}.sql`, script),
      ...updates.map((update) => generatedFile('script', `${name}--${version}--${update}.sql`, '')),
    ],
  );
}

function generatedFile(kind: PlannedFile['kind'], name: string, content: string): PlannedFile {
  const facts = createHash('sha256').update(content).digest('hex');
  return { kind, name, facts, read: async () => content };
}

function plannedFile({ kind, name, path, size, modifiedMs }: ExtensionFile): PlannedFile {
  const facts = [path, size, modifiedMs].join(' ');
  const read = kind === 'control' ? () => readTrustedControl(path) : () => readFile(path);
  return { kind, name, facts, read };
}

async function readTrustedControl(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  parseControlFile(text, path);
  return withTrust(text);
}

/** Throws if an extension has the name of one that is part of PostgreSQL, which would use its own files. */
export function requireOwnNames(files: readonly ExtensionFile[], binaries: Pick<Binaries, 'postgres'>): void {
  const system = new Set(systemExtensionFiles(binaries).map(({ name }) => name));
  const conflict = files.find(({ kind, name }) => kind === 'control' && system.has(name));
  if (conflict === undefined) return;
  throw new ExtensionConflictError(
    `${conflict.path}: the extension ${extensionOf(conflict.name)} is part of PostgreSQL and cannot be replaced`,
  );
}

async function readManifest(folder: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(join(folder, MANIFEST), 'utf8'));
  } catch {
    return {};
  }
}

async function ensureFolder(path: string, runAs: RunAs | undefined): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o755 });
  if (runAs) await chown(path, runAs.uid, runAs.gid);
}

/** Replaces the file by a rename, because a running server may have loaded the library that it replaces. */
async function writeFile(path: string, content: string | Buffer, runAs: RunAs | undefined): Promise<void> {
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, 'w', 0o644);
  try {
    if (runAs) await file.chown(runAs.uid, runAs.gid);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}
