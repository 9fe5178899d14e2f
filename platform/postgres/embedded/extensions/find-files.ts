/** Finds the files of extensions in a folder of any layout: a source tree, an unpacked package or a flat folder. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';

/** Folders without files that PostgreSQL needs: version control, packages of Node.js, and code for LLVM. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules', 'bitcode']);
const LIBRARY_SUFFIXES: Partial<Record<NodeJS.Platform, string>> = { darwin: '.dylib', win32: '.dll' };

/** Suffix of libraries on this system. */
export const LIBRARY_SUFFIX = LIBRARY_SUFFIXES[process.platform] ?? '.so';

/** One file of an extension. */
export interface ExtensionFile {
  kind: 'control' | 'script' | 'library';
  /** File name that PostgreSQL expects. */
  name: string;
  /** Path without symbolic links below the folder. */
  path: string;
  size: number;
  modifiedMs: number;
}

/** The folder contains files that are not accepted. */
class ExtensionFolderError extends Error {
  override readonly name = 'ExtensionFolderError';
}

/**
 * Returns the control files, versioned scripts and libraries in a folder and its subfolders; an empty list if the folder
 * does not exist. Other files are ignored. Names are those that PostgreSQL expects. Throws {@link ExtensionFolderError} if
 * a symbolic link leads out of the folder, or if two files have the same name. Synchronous, because each start calls it
 * for many small files.
 */
export function findExtensionFiles(folder: string): ExtensionFile[] {
  if (!existsSync(folder)) return [];
  const root = realpathSync(folder);
  const files = new Map<string, ExtensionFile>();
  for (const file of filesBelow(root, root)) {
    const other = files.get(file.name);
    if (other !== undefined && other.path !== file.path) {
      throw new ExtensionFolderError(`${folder} contains ${file.name} twice: ${other.path} and ${file.path}`);
    }
    files.set(file.name, file);
  }
  return withFinalNames([...files.values()]).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Debian's package of PostGIS contains `postgis-3.control` and installs it as `postgis.control` when it is configured:
 * a control file without scripts gets the name of the scripts that it is for.
 */
function withFinalNames(files: readonly ExtensionFile[]): ExtensionFile[] {
  const scripted = new Set(
    files.filter(({ kind }) => kind === 'script').map(({ name }) => extensionOf(name)),
  );
  const names = new Set(files.map(({ name }) => name));
  return files.map((file) => {
    const extension = extensionOf(file.name);
    const final = extension.replace(/-\d+$/, '');
    const isAlternative = file.kind === 'control' && !scripted.has(extension) && scripted.has(final);
    return isAlternative && !names.has(`${final}.control`) ? { ...file, name: `${final}.control` } : file;
  });
}

function filesBelow(folder: string, root: string): ExtensionFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(path, root);
    const kind = kindOf(entry.name);
    if (kind === undefined) return [];
    return [readFacts(kind, entry.name, entry.isSymbolicLink() ? resolveLink(path, root) : path)];
  });
}

/** Scripts have names like `vector--0.8.0.sql` and `vector--0.7.0--0.8.0.sql`. */
function kindOf(name: string): ExtensionFile['kind'] | undefined {
  if (name.endsWith('.control')) return 'control';
  if (/^.+--.+\.sql$/.test(name)) return 'script';
  return name.endsWith(LIBRARY_SUFFIX) ? 'library' : undefined;
}

function resolveLink(link: string, root: string): string {
  if (!existsSync(link)) throw new ExtensionFolderError(`${link} is a link to a file that does not exist`);
  const path = realpathSync(link);
  const fromRoot = relative(root, path);
  if (isAbsolute(fromRoot) || fromRoot.split(sep)[0] === '..') {
    throw new ExtensionFolderError(`${link} is a link out of the folder, to ${path}; copy the file instead`);
  }
  return path;
}

function readFacts(kind: ExtensionFile['kind'], name: string, path: string): ExtensionFile {
  const facts = statSync(path);
  if (!facts.isFile()) throw new ExtensionFolderError(`${path} is not a file`);
  return { kind, name, path, size: facts.size, modifiedMs: facts.mtimeMs };
}

/** Returns the name of the extension of a control file or script. */
export function extensionOf(fileName: string): string {
  return fileName.replace(/(--.*)?\.(control|sql)$/, '');
}
