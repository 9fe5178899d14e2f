/** The file with the generated types. */
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';
import { TypesError } from './types-error.ts';

const NEW_FILE_MODE = 0o644;
const PERMISSIONS = 0o777;

/**
 * Throws `TypesError` if the path cannot be that of a file: its folder is missing, or a folder has its name. Called before
 * the types are generated, because that takes longer.
 */
export async function requireWritable(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const [target, parent] = await Promise.all([statOf(path), statOf(folder)]);
  if (target?.isDirectory()) throw new TypesError(`${path} is a folder. Name a file in it.`);
  if (!parent?.isDirectory())
    throw new TypesError(`cannot write ${path}: the folder ${folder} does not exist. Create it first.`);
}

/**
 * Writes the types, unless the file has them already, so that bundlers and editors that follow it are not notified. Readers
 * see the former or the new content. Returns whether it has written.
 * @throws TypesError if the file cannot be written
 */
export async function writeTypes(path: string, text: string): Promise<boolean> {
  try {
    const former = await readFile(path, 'utf8').catch(undefinedIfMissing);
    if (former === text) return false;
    // A symbolic link stays one.
    const target = former === undefined ? path : await realpath(path);
    const mode = (await statOf(target))?.mode ?? NEW_FILE_MODE;
    await writeFileAtomically(target, text, mode & PERMISSIONS);
    return true;
  } catch (error) {
    throw new TypesError(`cannot write ${path}: ${(error as Error).message}`, { cause: error });
  }
}

function statOf(path: string) {
  return stat(path).catch(() => undefined);
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
