/** Hash of the app's sources, to determine whether a build is up to date. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** Generated folders, and folders that no build reads. */
const OTHER_FOLDERS = /^(build(\..*)?|node_modules|\.react-router|\.git)$/;
const TEST_FILE = /\.test\.tsx?$/;

/**
 * Hashes names and contents of the files below `folder` and of `more` (other files; missing ones count as
 * empty). Ignores tests and generated folders. Returns hexadecimal text.
 */
export async function hashSources(folder: string, more: readonly string[]): Promise<string> {
  const files = (await listSources(folder)).sort();
  const hash = createHash('sha256');
  for (const path of [...files, ...more]) {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    hash.update(`${relative(folder, path).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return OTHER_FOLDERS.test(entry.name) ? [] : listSources(path);
    return TEST_FILE.test(entry.name) ? [] : [path];
  });
  return (await Promise.all(lists)).flat();
}
