/** Lists the public files of a product. */
import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PageOptions } from '../lib/page/page-options.ts';

/** The only folder with a dot at the start of its name that sites serve (RFC 8615). */
const WELL_KNOWN = '.well-known';

/**
 * Returns the paths of the public files of a product by their names below the base path. Symbolic links are left out, because
 * they may lead to any file of the machine, and so are names that begin with a dot, such as `.git` and `.env`.
 */
export function publicFilesOf(product: PageOptions['product']): ReadonlyMap<string, string> {
  if (product?.appFolder === undefined) return new Map();
  return new Map(filesIn(join(product.appFolder, 'public'), ''));
}

/** Not `recursive`: that option of Node.js follows symbolic links to folders. */
function filesIn(folder: string, prefix: string): [name: string, path: string][] {
  return entriesOf(folder).flatMap((entry): [string, string][] => {
    const name = prefix + entry.name;
    if (entry.name.startsWith('.') && name !== WELL_KNOWN) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path, `${name}/`);
    return entry.isFile() ? [[name, path]] : [];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
