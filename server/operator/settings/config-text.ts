/** Reads and replaces files of the project: config.toml and templates. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '@greenroom/data-folder';

const NEW_FILE_MODE = 0o644;

/** Returns the text of a file; undefined if it does not exist. */
export async function readIfExists(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Returns a name of this version of the text, by which two administrators notice each other's changes. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Replaces a file and keeps its mode, or creates it; undefined removes it. */
export async function replaceFile(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(path, { force: true });
  // A link stays a link.
  const target = await realpath(path).catch(() => path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => NEW_FILE_MODE,
  );
  await mkdir(dirname(target), { recursive: true });
  await writeFileAtomically(target, text, mode);
}
