/** Hash of the contents of sources. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';

/**
 * Hashes the names of files, relative to `root`, and their contents; a missing file counts as empty. Returns hexadecimal
 * text.
 */
export async function hashFiles(files: readonly string[], root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of files) {
    const content = await readFile(path).catch(() => Buffer.alloc(0));
    hash.update(`${relative(root, path).split(sep).join('/')}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
