/** Lists the source files of a build, and the facts by which a change of one is noticed without reading it. */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';

/** Generated folders, and folders that no build reads. */
const OTHER_FOLDERS = /^(build(\..*)?|node_modules|\.react-router|\.git)$/;
const TEST_FILE = /\.test\.tsx?$/;

/**
 * Returns the paths of all files in `sources` (files and folders), sorted; a missing file is listed, too. Leaves out tests
 * and generated folders. Synchronous, because a start has nothing else to do meanwhile.
 */
export function listSources(sources: readonly string[]): string[] {
  return sources.flatMap((path) => (isFolder(path) ? filesIn(path) : [path])).sort();
}

/**
 * Returns a fingerprint of size and time of the last change of each file. It differs after a change; it may also differ
 * for the same contents, e.g. in a new clone.
 */
export function fingerprintOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of files) {
    const { size = 0, mtimeMs = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    hash.update(`${path}\0${size}\0${mtimeMs}\0${ino}\0`);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    // Quicker than `join` for thousands of files.
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return OTHER_FOLDERS.test(entry.name) ? [] : filesIn(path);
    return TEST_FILE.test(entry.name) ? [] : [path];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
