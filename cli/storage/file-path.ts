/** Paths of files for keys of objects. A key may come from any user of the storage service. */
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Limit of the usual file systems. */
const MAX_NAME_BYTES = 255;

/** A key cannot be the path of a file. */
export class FileNameError extends Error {
  override readonly name = 'FileNameError';
}

/**
 * Returns the parts of the path of a file for a key below a folder. Throws {@link FileNameError} for a key whose file would
 * be outside of the folder, or cannot exist: with the segments `.`, `..` and empty ones, as at the beginning of an
 * absolute path, with NUL, with backslashes, and with names that are too long.
 */
export function fileSegments(key: string): string[] {
  const segments = key.split('/');
  for (const segment of segments) {
    if (['', '.', '..'].includes(segment)) throw new FileNameError('it has a segment "", "." or ".."');
    if (/[\0\\]/.test(segment)) throw new FileNameError('it contains a backslash or NUL');
    if (Buffer.byteLength(segment) > MAX_NAME_BYTES)
      throw new FileNameError(`a part of it is longer than ${MAX_NAME_BYTES} bytes`);
  }
  return segments;
}

/**
 * Creates a folder and the folders above it, up to `root`, and returns its path. Throws {@link FileNameError} if one of
 * them is a file or a symbolic link, which could lead out of `root`.
 */
export async function makeFolders(root: string, segments: readonly string[]): Promise<string> {
  await mkdir(root, { recursive: true });
  let folder = root;
  for (const segment of segments) {
    folder = join(folder, segment);
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if (!(await lstat(folder)).isDirectory()) throw new FileNameError(`${folder} is no folder`);
  }
  return folder;
}
