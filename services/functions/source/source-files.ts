/** The files of a function, and the hash of their content. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** A file of the project. */
export interface SourceFile {
  /** Absolute path. */
  path: string;
  content: Buffer;
}

/** As on the hosted platform. */
const MAX_SOURCE_BYTES = 20 * 1024 * 1024;

/** Reads files. Throws if they are larger than the limit together. */
export async function readFiles(paths: readonly string[]): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  let bytes = 0;
  for (const path of paths) {
    const content = await readFile(path);
    bytes += content.length;
    if (bytes > MAX_SOURCE_BYTES) throw new Error('the files of the function are larger than 20 MB');
    files.push({ path, content });
  }
  return files;
}

/** The properties of a copy in addition to its files. */
interface CopyDescription {
  /** The folder that contains all files. */
  root: string;
  config: object;
  /** Names and versions of packages. */
  packages: readonly (readonly [string, string])[];
  /** Variables that name the registries of downloads. */
  registries: Readonly<Record<string, string>>;
  /** Content of the lock file of downloads. */
  locked: Buffer | undefined;
  /** Hash of the program that runs the function, because a later version of Greenroom has another one. */
  bootstrap: string;
}

/** Returns a hash of the names and contents of all files in a folder. */
export async function hashOfFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const list = paths
    .sort()
    .map(async (path) => [relative(folder, path), hash('sha256', await readFile(path))]);
  return hash('sha256', JSON.stringify(await Promise.all(list)));
}

/** Returns a hash of names and contents, independent of the place of the project. */
export function hashOf(
  files: readonly SourceFile[],
  { root, config, packages, registries, locked, bootstrap }: CopyDescription,
): string {
  const list = files.map(({ path, content }) => [relative(root, path), hash('sha256', content)]);
  const lock = locked && hash('sha256', locked);
  return hash('sha256', JSON.stringify([list, config, packages, registries, lock, bootstrap])).slice(0, 32);
}

/** Returns the innermost folder that contains all paths. */
export function commonFolder(paths: readonly string[]): string {
  const [first = sep, ...others] = paths.map(dirname);
  const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}${sep}`);
  let folder = first;
  while (folder !== dirname(folder) && !others.every((path) => isBelow(path, folder)))
    folder = dirname(folder);
  return folder;
}
